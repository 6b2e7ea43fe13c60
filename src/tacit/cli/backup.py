"""``tacit backup``: a copy of a store, while the server goes on."""

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli._command import command


@command
def backup(
    *,
    store: Annotated[Path, typer.Argument(metavar="STORE", help="SQLite file of the server.")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="File to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Copy a store, whole and checked, while the server goes on.

    The copy holds everything that was acknowledged when it began, and the secret that links and
    tokens are signed with. On PostgreSQL, use pg_dump.

    [bold]Example[/bold]: tacit backup study.db study-copy.db

    [bold]Exit codes[/bold]: 0 if the copy is there and sound, 2 if not.
    """
    from tacit.cli._sqlite import copy_database
    from tacit.records._whole_file import whole_file

    with whole_file(output, overwrite=force) as draft:
        n_bytes = copy_database(store, draft)
        draft.chmod(0o600)
    typer.echo(f"{output}: {n_bytes} bytes, checked")
