from contextlib import AbstractContextManager

def threadpool_limits(
    limits: int, user_api: str | None = None
) -> AbstractContextManager[object]: ...
