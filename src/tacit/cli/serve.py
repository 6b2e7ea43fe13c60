"""``tacit serve``: a live study for real people."""

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli._command import command

Store = Annotated[
    str,
    typer.Option(
        metavar="STORE",
        help="Where answers are kept: an SQLite file, or postgresql://user@host/database.",
    ),
]


@command
def serve(
    *,
    studies: Annotated[
        list[Path] | None,
        typer.Argument(metavar="STUDY", help="TOML files of studies; without any, the demos."),
    ] = None,
    store: Store = "",
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 for a network.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any that is free.")] = 8000,
    demos: Annotated[bool, typer.Option("--demos", help="Serve the demos, too.")] = False,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Server processes; more than one on PostgreSQL.")
    ] = 1,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(help="Another origin whose pages may call the API, such as https://lab.org."),
    ] = None,
    https: Annotated[
        bool, typer.Option("--https", help="People reach this server by https, through a proxy.")
    ] = False,
) -> None:
    """Run a live study: pages for participants, a dashboard, and an API for programs.

    An answer is acknowledged when it is on disk. The server can be stopped and started at any
    time: people go on where they were. Without a study, the demos are served; their answers are
    kept until the server stops, unless --store says where to keep them.

    The variable TACIT_PASSWORD sets the password of the dashboard; without it, one is made at the
    first start, and shown.

    [bold]Example[/bold]: tacit serve study.toml --store study.db

    [bold]Exit codes[/bold]: 0 if stopped, 2 if it could not be started.
    """
    from tacit.cli._serve import Server

    Server(
        files=tuple(map(str, studies or ())),
        store=store,
        host=host,
        port=port,
        with_demos=demos or not studies,
        processes=processes,
        origins=tuple(allow_origin or ()),
        secure=https,
    ).run()
