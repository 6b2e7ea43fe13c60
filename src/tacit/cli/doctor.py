"""``tacit doctor``: is everything in a store as it should be?"""

from typing import Annotated

import typer

from tacit.cli._command import SOME_FAILED, command


@command
def doctor(
    *,
    store: Annotated[
        str, typer.Argument(metavar="STORE", help="SQLite file, or postgresql://user@host/name.")
    ],
) -> None:
    """Check a store: the file itself, and that every session replays as it was.

    Each log is read from the start, and what was asked is compared with what the learner asks
    now, to the last bit: after a restored backup or an update of tacit, for instance.

    [bold]Example[/bold]: tacit doctor study.db

    [bold]Exit codes[/bold]: 0 if all is well, 1 if something is wrong, 2 if it could not be read.
    """
    from tacit.cli._doctor import examine
    from tacit.cli._stores import existing_store

    opened = existing_store(store)
    try:
        report = examine(opened, store)
    finally:
        opened.close()
    for line in report.lines:
        typer.echo(line)
    for problem in report.problems:
        typer.echo(f"problem: {problem}")
    if report.problems:
        raise typer.Exit(SOME_FAILED)
