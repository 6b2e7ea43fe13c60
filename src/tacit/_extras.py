"""The one place where optional dependencies are imported, at the moment of use."""

import importlib
from types import ModuleType

from tacit.errors import MissingExtra


def require(module: str, *, extra: str) -> ModuleType:
    """Import an optional dependency, or say how to install it.

    Parameters
    ----------
    module : str
        Dotted name of the module to import, such as ``"matplotlib.pyplot"``.
    extra : str
        Name of tacit's extra that installs it, such as ``"plot"``.

    Returns
    -------
    types.ModuleType
        The imported module.

    Raises
    ------
    MissingExtra
        If the package that holds `module` is not installed. A failure inside an
        installed package is passed on as it is.

    Examples
    --------
    >>> require("json", extra="tables").dumps([1])
    '[1]'
    >>> require("a_missing_package", extra="plot")
    Traceback (most recent call last):
    tacit.errors.MissingExtra: this needs a_missing_package; run: pip install 'tacit[plot]'
    """
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise MissingExtra(f"this needs {package}; run: pip install 'tacit[{extra}]'") from error
