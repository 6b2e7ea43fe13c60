"""The data of a study as files that other programs read."""

from tacit.study.export.archives import bids_files, psych_ds_files
from tacit.study.export.columns import TABLES, data_dictionary
from tacit.study.export.tables import StudyTables
from tacit.study.export.texts import as_csv, as_jsonl, as_parquet, as_tsv
from tacit.study.export.writing import FORMATS, export_files, zipped

__all__ = [
    "FORMATS",
    "TABLES",
    "StudyTables",
    "as_csv",
    "as_jsonl",
    "as_parquet",
    "as_tsv",
    "bids_files",
    "data_dictionary",
    "export_files",
    "psych_ds_files",
    "zipped",
]
