from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

def check_array(
    array: ArrayLike,
    *,
    dtype: DTypeLike | str | None = ...,
    copy: bool = ...,
    ensure_2d: bool = ...,
    ensure_min_samples: int = ...,
    ensure_min_features: int = ...,
    ensure_all_finite: bool | Literal["allow-nan"] = ...,
    input_name: str = ...,
) -> NDArray[Any]: ...
def check_consistent_length(*arrays: ArrayLike | None) -> None: ...
def check_is_fitted(
    estimator: object, attributes: str | Sequence[str] | None = ..., *, msg: str | None = ...
) -> None: ...
def column_or_1d(
    y: ArrayLike, *, dtype: DTypeLike | None = ..., warn: bool = ...
) -> NDArray[Any]: ...
def _check_sample_weight(
    sample_weight: ArrayLike | float | None,
    X: ArrayLike,
    *,
    dtype: DTypeLike | None = ...,
    ensure_non_negative: bool = ...,
) -> NDArray[np.float64]: ...
@overload
def validate_data(
    _estimator: object,
    /,
    X: ArrayLike,
    *,
    reset: bool = ...,
    dtype: DTypeLike | str | None = ...,
    ensure_min_samples: int = ...,
    ensure_all_finite: bool | Literal["allow-nan"] = ...,
) -> NDArray[Any]: ...
@overload
def validate_data(
    _estimator: object,
    /,
    X: ArrayLike,
    y: ArrayLike,
    *,
    reset: bool = ...,
    dtype: DTypeLike | str | None = ...,
    ensure_min_samples: int = ...,
    ensure_all_finite: bool | Literal["allow-nan"] = ...,
    y_numeric: bool = ...,
) -> tuple[NDArray[Any], NDArray[Any]]: ...
