from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Literal, ParamSpec, TypeAlias, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Task: TypeAlias = tuple[Callable[..., _T], tuple[object, ...], dict[str, object]]

class Parallel:
    def __init__(
        self,
        n_jobs: int | None = ...,
        *,
        return_as: Literal["generator", "generator_unordered", "list"],
        backend: str | None = ...,
        batch_size: int | Literal["auto"] = ...,
        inner_max_num_threads: int | None = ...,
    ) -> None: ...
    def __call__(self, tasks: Iterable[_Task[_T]], /) -> Iterable[_T]: ...

def delayed(function: Callable[_P, _T]) -> Callable[_P, _Task[_T]]: ...
def cpu_count() -> int: ...
def parallel_config(
    backend: str | None = ..., *, n_jobs: int | None = ...
) -> AbstractContextManager[object]: ...
def effective_n_jobs(n_jobs: int | None = ...) -> int: ...
