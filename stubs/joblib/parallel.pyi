class ParallelBackendBase:
    supports_return_generator: bool

def get_active_backend() -> tuple[ParallelBackendBase, int | None]: ...
