"""Stores that commands read."""

from pathlib import Path

from tacit._extras import require
from tacit.errors import DataError
from tacit.study.store import Store, StoredStudy, open_store


def existing_store(address: str) -> Store:
    """Open a store that is there already."""
    require("sqlalchemy", extra="web")
    if "://" not in address and not Path(address).is_file():
        raise DataError(f"there is no store {address}; is it the file of tacit serve --store?")
    return open_store(address)


def chosen_study(store: Store, study_id: str | None) -> StoredStudy:
    """Return the study of an identifier, or the only one."""
    studies = {study.study_id: study for study in store.studies()}
    if study_id is None and len(studies) == 1:
        return next(iter(studies.values()))
    if study_id not in studies:
        known = ", ".join(studies) or "none"
        what = "there is no study" if study_id else "name a study by --study, not"
        raise DataError(f"{what} {study_id!r}; this store has {known}")
    return studies[study_id]
