"""Tables of a TOML file, read key by key; what is wrong is collected, not thrown at once."""

import math
import re
from collections.abc import Collection, Mapping
from typing import Any, Self

from tacit.records._rows import did_you_mean

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Table:
    """One table, whose keys are taken one after the other.

    Parameters
    ----------
    values : mapping
        What the file holds.
    where : str
        How messages name the table; empty for the file itself.
    problems : list of str
        Collects what is wrong.
    """

    def __init__(self, values: Mapping[str, Any], where: str, problems: list[str]) -> None:
        self._values = dict(values)
        self._where = where
        self._known: list[str] = []
        self.problems = problems

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def text(
        self, key: str, default: str | None = None, *, pattern: str = "", kind: str = "a text"
    ) -> str:
        """Return a text that is not empty; without a default, it must be there."""
        value = self._take(key, default)
        if isinstance(value, str) and (found := _CONTROL.search(value)):
            self.refuse(key, "text without control characters", value, f"{found[0]!r} is one")
        elif (
            isinstance(value, str)
            and value.strip()
            and re.fullmatch(pattern or ".*", value, re.DOTALL)
        ):
            return value
        else:
            self.refuse(key, kind, value)
        return default or "x"

    def optional_text(self, key: str, *, pattern: str = "", kind: str = "a text") -> str | None:
        """Return a text, or None if it is absent."""
        if key in self._values:
            return self.text(key, pattern=pattern, kind=kind)
        self._known.append(key)
        return None

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self._take(key, list(default))
        if not isinstance(value, list) or any(
            not isinstance(text, str) or not text.strip() or _CONTROL.search(text) for text in value
        ):
            self.refuse(key, "a list of texts", value)
            return default
        return tuple(value)

    def choice(self, key: str, known: Collection[str], default: str) -> str:
        """Return one of the known words."""
        value = self._take(key, default)
        if not isinstance(value, str) or value not in known:
            self.refuse(key, f"one of {', '.join(known)}", value)
            return default
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """Return a truth value."""
        value = self._take(key, default)
        if not isinstance(value, bool):
            self.refuse(key, "true or false", value)
            return default
        return value

    def whole(self, key: str, default: int, lowest: int, highest: int) -> int:
        """Return a whole number between two bounds."""
        value = self._take(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            self.refuse(key, f"a whole number from {lowest} to {highest}", value)
            return default
        return value

    def optional_whole(self, key: str, lowest: int, highest: int) -> int | None:
        """Return a whole number, or None if it is absent."""
        if key in self._values:
            return self.whole(key, lowest, lowest, highest)
        self._known.append(key)
        return None

    def number(self, key: str, default: float, above: float, below: float) -> float:
        """Return a number strictly between two bounds."""
        value = self._take(key, default)
        if not is_number(value) or not above < value < below:
            self.refuse(key, f"a number above {above:g} and below {below:g}", value)
            return default
        return float(value)

    def optional_number(self, key: str, above: float, below: float) -> float | None:
        """Return a number, or None if it is absent."""
        if key in self._values:
            return self.number(key, math.nan, above, below)
        self._known.append(key)
        return None

    def numbers(self, key: str) -> tuple[float, ...]:
        """Return a list of finite numbers."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(map(is_number, value)):
            self.refuse(key, "a list of numbers", value)
            return ()
        return tuple(map(float, value))

    def lists(self, key: str) -> list[list[Any]]:
        """Return a list of lists."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
            self.refuse(key, "a list of lists", value)
            return []
        return value

    def options(self, key: str) -> dict[str, Any]:
        """Return a table as it is."""
        value = self._take(key, {})
        if not isinstance(value, dict):
            self.refuse(key, "a table", value)
            return {}
        return value

    def table(self, key: str) -> Self | None:
        """Return a table within this one, or None if it is absent."""
        self._known.append(key)
        if key not in self._values:
            return None
        value = self._values[key]
        if not isinstance(value, dict):
            self.refuse(key, f"a table, [{key}]", value)
            return None
        return type(self)(value, self._name(key), self.problems)

    def part(self, key: str) -> Self:
        """Return a table within this one, an empty one if it is absent."""
        return self.table(key) or type(self)({}, self._name(key), self.problems)

    def tables(self, key: str) -> list[Self]:
        """Return the tables of a list."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
            self.refuse(key, f"a list of tables, [[{key}]]", value)
            return []
        name = self._name(key)
        return [
            type(self)(row, f"{name}[{number}]", self.problems)
            for number, row in enumerate(value, 1)
        ]

    def close(self) -> None:
        """Complain about keys that nobody asked for."""
        for key in self._values:
            if key not in self._known:
                self.problems.append(
                    f"unknown key `{self._name(key)}`; {did_you_mean(key, self._known)}"
                )

    def refuse(self, key: str, expected: str, value: object, cause: str = "") -> None:
        """Note that a value is not what was expected."""
        name = f"`{self._name(key)}`"
        if value is None:
            self.problems.append(f"{name} is missing; it must be {expected}")
        else:
            cause = f"; {cause}" if cause else ""
            self.problems.append(f"{name} must be {expected}, got {value!r:.80}{cause}")

    def _take(self, key: str, default: object) -> Any:
        self._known.append(key)
        return self._values.get(key, default)

    def _name(self, key: str) -> str:
        return f"{self._where}.{key}" if self._where else key


def is_number(value: object) -> bool:
    """Tell whether a value is a finite number, and not a truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
