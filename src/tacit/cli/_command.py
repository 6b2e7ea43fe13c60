"""What all commands share: groups of options, and one way to report errors and warnings."""

import inspect
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any

import typer

from tacit.cli._render import say
from tacit.errors import ConvergenceWarning, DataWarning, TacitError

UNUSABLE = 2
"""Exit code when the arguments or the data cannot be used."""

Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]

# Messages of the library name its keywords; on the command line these are options.
_KEYWORD = re.compile(
    r"""\b(?P<name>on_invalid|choice_coding|time_unit|allow_identical)=["']?(?P<value>\w+)["']?
    (?:\ or\ (?:choice|seconds)_from_\w+)?""",
    re.VERBOSE,
)


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Turn a function into a command of the command line.

    A parameter annotated with a dataclass becomes one option for each field of it, so that
    commands share options without repeating them. Errors that tacit raises on purpose, and files
    that cannot be read or written, end the command with one message and exit code 2; any other
    exception is a bug and keeps its traceback. Warnings are printed without their source line.
    """
    signature = inspect.signature(function)
    groups = {n: p.annotation for n, p in signature.parameters.items() if is_group(p)}

    @wraps(function)
    def run(*, debug: bool, **given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{f.name: given.pop(f.name) for f in fields(group)})
        with warnings.catch_warnings():
            for category in (DataWarning, ConvergenceWarning):
                warnings.simplefilter("always", category)
            warnings.showwarning = _show_warning
            try:
                function(**given)
            except BrokenPipeError:
                raise
            except (TacitError, OSError) as error:
                if debug:
                    raise
                say(f"error: {in_options(str(error))}", style="red")
                raise typer.Exit(UNUSABLE) from None

    parameters = [*_expanded(signature.parameters.values()), _keyword("debug", Debug, False)]
    run.__dict__["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run


def is_group(parameter: inspect.Parameter) -> bool:
    """Tell whether a parameter stands for a group of options."""
    return is_dataclass(parameter.annotation)


def in_options(message: str) -> str:
    """Write the keywords in a message of the library as options of the command line."""
    return _KEYWORD.sub(
        _as_option, message.replace("allow_void_times=True", "`tacit fit --robust`")
    )


def _as_option(keyword: re.Match[str]) -> str:
    option = "--" + keyword["name"].replace("_", "-")
    return option if keyword["value"] == "True" else f"{option} {keyword['value']}"


def _expanded(parameters: Iterable[inspect.Parameter]) -> Iterator[inspect.Parameter]:
    for parameter in parameters:
        if is_group(parameter):
            for field in fields(parameter.annotation):
                default = parameter.empty if field.default is MISSING else field.default
                yield _keyword(field.name, field.type, default)
        else:
            yield _keyword(parameter.name, parameter.annotation, parameter.default)


def _keyword(name: str, annotation: object, default: object) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


def _show_warning(
    message: Warning | str, category: type[Warning], *place: Any, **more: Any
) -> None:
    if issubclass(category, DataWarning | ConvergenceWarning):
        say(f"warning: {in_options(str(message))}", style="yellow")
    else:
        say(warnings.formatwarning(message, category, *place[:2], **more).rstrip())
