from collections.abc import Callable
from typing import Any, TypeVar, overload

_F = TypeVar("_F", bound=Callable[..., Any])

@overload
def njit(function: _F, /) -> _F: ...
@overload
def njit(
    *,
    boundscheck: bool = ...,
    cache: bool = ...,
    error_model: str = ...,
    fastmath: bool = ...,
    inline: str = ...,
    no_cpython_wrapper: bool = ...,
    nogil: bool = ...,
    parallel: bool = ...,
) -> Callable[[_F], _F]: ...
def prange(start: int, stop: int = ..., step: int = ..., /) -> range: ...
