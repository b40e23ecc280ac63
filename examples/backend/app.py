#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The backend of a small app whose users show their friends about where they are.

    POST /checkin   {"user": "anna", "lon": 0.0001, "lat": 0.0002}
    GET /friends    the latest released position of each

The true position is handed to the service, and then forgotten: it is neither kept nor logged."""

from __future__ import annotations

import argparse
import http.server
import json
import pathlib
import sys
import threading
from typing import Any

import fogline as fl

PAGE = pathlib.Path(__file__).with_name("page.html")
MOST_BYTES = 4096


class App(http.server.ThreadingHTTPServer):
    """What all requests share: the client of the service, and what friends may see."""

    def __init__(self, port: int, client: fl.Client) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.client = client
        self.friends: dict[str, dict[str, Any]] = {}
        self.turn = threading.Lock()

    def check_in(self, asked: dict[str, Any]) -> dict[str, Any]:
        user = str(asked["user"])  # a real app takes it from whoever is logged in
        safe = self.client.release(user, lon=asked["lon"], lat=asked["lat"])
        shown = {"lon": safe.lon, "lat": safe.lat, "at": safe.released_at.isoformat()}
        with self.turn:
            self.friends[user] = shown
        return shown

    def all_friends(self) -> dict[str, dict[str, Any]]:
        with self.turn:
            return dict(self.friends)


class Handler(http.server.BaseHTTPRequestHandler):
    server: App
    timeout = 10

    def do_GET(self) -> None:
        if self.path == "/":
            self.answer(200, PAGE.read_bytes(), "text/html; charset=utf-8")
        elif self.path == "/friends":
            self.answer(200, self.server.all_friends())
        else:
            self.answer(404, {"error": "there is no such page"})

    def do_POST(self) -> None:
        if self.path != "/checkin":
            return self.answer(404, {"error": "there is no such page"})
        try:
            size = int(self.headers.get("Content-Length", 0))
            if not 0 < size <= MOST_BYTES:
                raise ValueError
            self.answer(200, self.server.check_in(json.loads(self.rfile.read(size))))
        except fl.BudgetError as error:  # whoever waits may check in again
            self.answer(429, {"error": "enough for now"}, retry_after_s=error.retry_after_s)
        except fl.ServiceError as error:
            self.answer(503, {"error": "ask again soon"}, retry_after_s=error.retry_after_s)
        except (fl.InvalidOption, fl.DataError) as error:  # whose text never holds a position
            self.answer(400, {"error": str(error)})
        except (KeyError, TypeError, ValueError):
            self.answer(400, {"error": "user, lon and lat are needed, as JSON"})

    def answer(
        self, status: int, body: object, kind: str = "application/json", retry_after_s: int | None = None
    ) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        if retry_after_s is not None:
            self.send_header("Retry-After", str(retry_after_s))
        self.end_headers()
        self.wfile.write(data)


def main() -> None:
    options = argparse.ArgumentParser(description="Needs FOGLINE_TOKEN in the environment.")
    options.add_argument("--service", default="http://localhost:8080", help="address of fogline serve")
    options.add_argument("--port", type=int, default=8000)
    chosen = options.parse_args()
    with fl.Client(chosen.service) as client, App(chosen.port, client) as app:
        print(f"http://localhost:{app.server_port}", file=sys.stderr, flush=True)
        app.serve_forever()


if __name__ == "__main__":
    main()
