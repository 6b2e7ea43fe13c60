"""``tacit export``: the data of a study as files."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli._command import command


class Format(StrEnum):
    """The forms in which data can be had."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    PSYCH_DS = "psych-ds"
    BIDS = "bids"


@command
def export(
    *,
    store: Annotated[
        str, typer.Argument(metavar="STORE", help="SQLite file, or postgresql://user@host/name.")
    ],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="Folder to write.")],
    study: Annotated[
        str | None, typer.Option(help="Identifier of the study, if there are several.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="Tables, or a layout of archives.")] = (
        Format.CSV
    ),
    previews: Annotated[bool, typer.Option("--previews", help="Previews, too.")] = False,
) -> None:
    """Write the data of a study to a folder, with a data dictionary.

    Trials, practice, sessions and events are tables of their own; tacit fit reads trials.csv.
    The server may go on meanwhile.

    [bold]Example[/bold]: tacit export study.db data

    [bold]Exit codes[/bold]: 0 if written, 2 if not.
    """
    from tacit.cli._stores import chosen_study, existing_store
    from tacit.records._whole_file import whole_folder
    from tacit.study.export import StudyTables, export_files

    opened = existing_store(store)
    try:
        tables = StudyTables.of(opened, chosen_study(opened, study), previews=previews)
    finally:
        opened.close()
    files = export_files(tables, form.value)
    with whole_folder(output) as draft:
        for name, content in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    counts = ", ".join(f"{len(rows)} {name}" for name, rows in tables.rows.items())
    typer.echo(f"{output}: {counts}")
