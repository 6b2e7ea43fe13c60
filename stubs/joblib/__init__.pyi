from collections.abc import Callable, Iterable, Iterator
from typing import Literal, ParamSpec, TypeAlias, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Task: TypeAlias = tuple[Callable[..., _T], tuple[object, ...], dict[str, object]]

class Parallel:
    def __init__(
        self,
        n_jobs: int | None = ...,
        *,
        return_as: Literal["generator", "generator_unordered"],
        backend: str | None = ...,
        batch_size: int | Literal["auto"] = ...,
        inner_max_num_threads: int | None = ...,
    ) -> None: ...
    def __call__(self, tasks: Iterable[_Task[_T]], /) -> Iterator[_T]: ...

def delayed(function: Callable[_P, _T]) -> Callable[_P, _Task[_T]]: ...
