"""What all commands share: groups of options, and one way to report errors and warnings."""

import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any

import typer

from tacit.cli._render import describe, say
from tacit.errors import ConvergenceWarning, DataWarning, TacitError

SOME_FAILED = 1
"""Exit code when not everybody has a result."""

_SHOWN = 5

UNUSABLE = 2
"""Exit code when the arguments or the data cannot be used."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Turn a function into a command of the command line.

    A parameter annotated with a dataclass becomes one option for each field of it, so that
    commands share options without repeating them. Errors that tacit raises on purpose, and files
    that cannot be read or written, end the command with one message and exit code 2; any other
    exception is a bug and keeps its traceback. Warnings are printed without their source line.
    """
    signature = inspect.signature(function)
    groups = {n: p.annotation for n, p in signature.parameters.items() if _is_group(p)}

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
                say(f"error: {describe(error)}", style="red")
                raise typer.Exit(UNUSABLE) from None
            except KeyboardInterrupt:
                say("interrupted; nothing was written that is not complete", style="yellow")
                raise typer.Exit(INTERRUPTED) from None

    run.__doc__ = _as_paragraphs(function.__doc__ or "")
    parameters = [*_expanded(signature.parameters.values()), _keyword("debug", Debug, False)]
    run.__dict__["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run


def report_failures(people: Sequence[object], outcomes: Sequence[object], *, seen: bool) -> None:
    """End a command whose work failed for some people, or for all of them.

    Parameters
    ----------
    people : sequence
        Who they are.
    outcomes : sequence
        The result of each, or the error.
    seen : bool
        Whether the errors were shown to people already; otherwise they are, on stderr.
    """
    failed = [
        (person, outcome)
        for person, outcome in zip(people, outcomes, strict=True)
        if isinstance(outcome, TacitError)
    ]
    if not failed:
        return
    for person, error in [] if seen else failed[:_SHOWN]:
        say("error: " + describe(f"person {person}: {error}"), style="red")
    if len(failed) > 1:
        say(f"error: no result for {len(failed)} of {len(people)} people", style="red")
    raise typer.Exit(UNUSABLE if len(failed) == len(people) else SOME_FAILED)


def _is_group(parameter: inspect.Parameter) -> bool:
    """Tell whether a parameter stands for a group of options."""
    return is_dataclass(parameter.annotation)


def _as_paragraphs(docstring: str) -> str:
    """Join the lines of each paragraph, so that the help wraps them at the terminal's width."""
    paragraphs = inspect.cleandoc(docstring).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _expanded(parameters: Iterable[inspect.Parameter]) -> Iterator[inspect.Parameter]:
    for parameter in parameters:
        if _is_group(parameter):
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
        say(f"warning: {describe(message)}", style="yellow")
    else:
        say(warnings.formatwarning(message, category, *place[:2], **more).rstrip())
