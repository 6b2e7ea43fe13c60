"""Start servers fast: import everything once, then fork a server process for each line of stdin.

Each is a real server that can be killed; only the seconds that Python needs to import are saved.
"""

import os
import signal
import socket
import sys

from tacit.web.running import run
from tacit.web.settings import Settings


def main(port: int, store: str, study: str) -> None:
    """Fork a server for each line read, and print its process id."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    Settings(store=store, study_files=(study,)).to_environment()
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                serve(port)
            finally:
                os._exit(1)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


def serve(port: int) -> None:
    """Be a server until killed."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen(128)
    run(listening)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
