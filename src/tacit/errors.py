"""The exceptions and warnings of tacit, and the one grammar of their messages.

A message says what was expected, which value was found and where, and the likely
cause: "`response_time` must exceed nondecision_time (0.30 s), got 0.12 s at
trial 7; was it recorded in milliseconds?".
"""

from collections.abc import Sequence


class TacitError(Exception):
    """Base class of every exception that tacit raises on purpose."""


class DataError(TacitError, ValueError):
    """The data given cannot be used as they are; the message names value, row and cause."""


class CallOrderError(TacitError, RuntimeError):
    """A method was called before the one it depends on."""


class ConvergenceError(TacitError, RuntimeError):
    """A solver could not reach the accuracy that was asked for."""


class MissingExtra(TacitError, ImportError):
    """An optional dependency is needed and not installed."""


class ConvergenceWarning(UserWarning):
    """A solver stopped early; the result is the best found."""


class DataWarning(UserWarning):
    """The data are usable, but something about them deserves a look."""


class NotFound(TacitError, LookupError):
    """What was named does not exist, or not for the one who asks."""


class Refused(TacitError, PermissionError):
    """The one who asks may not have or do this."""


class Conflict(TacitError, RuntimeError):
    """What was asked for contradicts what is stored already; nothing was changed.

    Parameters
    ----------
    message : str
        What contradicts what.
    missing : sequence of int, optional
        Numbers of the answers that have not arrived.
    """

    def __init__(self, message: str, *, missing: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.missing = tuple(missing)


class StorageError(TacitError, OSError):
    """The data could not be written: nothing of it counts as stored."""
