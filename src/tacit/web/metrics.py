"""Counts and durations of requests, for Prometheus."""

import threading
import time
from bisect import bisect_left
from collections import Counter, defaultdict

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT")
_SECONDS = (0.005, 0.01, 0.02, 0.03, 0.06, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """What one server process has done since it started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(_SECONDS) + 1))
        self._sums: dict[str, float] = defaultdict(float)

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """Take note of a request."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._buckets[route][bisect_left(_SECONDS, seconds)] += 1
            self._sums[route] += seconds

    def text(self) -> str:
        """Return everything in Prometheus' text format."""
        with self._lock:
            lines = ["# TYPE tacit_requests_total counter"]
            for (method, route, status), count in sorted(self._requests.items()):
                labels = f'method="{method}",route="{route}",status="{status}"'
                lines.append(f"tacit_requests_total{{{labels}}} {count}")
            lines.append("# TYPE tacit_request_seconds histogram")
            for route, buckets in sorted(self._buckets.items()):
                total = 0
                for bound, count in zip((*map(str, _SECONDS), "+Inf"), buckets, strict=True):
                    total += count
                    labels = f'route="{route}",le="{bound}"'
                    lines.append(f"tacit_request_seconds_bucket{{{labels}}} {total}")
                lines.append(f'tacit_request_seconds_sum{{route="{route}"}} {self._sums[route]}')
                lines.append(f'tacit_request_seconds_count{{route="{route}"}} {total}')
        return "\n".join(lines) + "\n"


class Measured:
    """Middleware that takes the time of every request, by its route and not its address."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noting)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            seconds = time.perf_counter() - began
            self._metrics.add(_method(scope), route, status, seconds)


def _method(scope: Scope) -> str:
    """Return the method of a request, one word for all that nobody serves."""
    method: str = scope["method"]
    return method if method in _METHODS else "other"
