"""The exceptions and warnings of tacit, and the one grammar of their messages.

A message says what was expected, which value was found and where, and the likely
cause: "`response_time` must exceed nondecision_time (0.30 s), got 0.12 s at
trial 7; was it recorded in milliseconds?".
"""


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
