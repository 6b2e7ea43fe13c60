"""Server processes."""

import signal
import socket
from contextlib import suppress

import uvicorn
from uvicorn.supervisors import Multiprocess

_LAST_REQUESTS_SECONDS = 3


def run(listening: socket.socket, *, processes: int = 1, behind_proxy: bool = False) -> None:
    """Serve until interrupted; the settings come from the environment.

    Parameters
    ----------
    listening : socket
        Where requests arrive.
    processes : int
        How many server processes share it.
    behind_proxy : bool
        Whether a proxy says who asks, and by which scheme.
    """
    config = uvicorn.Config(
        "tacit.web.app:from_environment",
        factory=True,
        log_level="warning",
        access_log=False,
        workers=processes,
        timeout_graceful_shutdown=_LAST_REQUESTS_SECONDS,
        server_header=False,
        proxy_headers=behind_proxy,
    )
    # Being told to stop is no failure, and what is temporary is to be tidied up.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        if processes > 1:
            Multiprocess(config, sockets=[listening]).run()
        else:
            uvicorn.Server(config).run(sockets=[listening])
