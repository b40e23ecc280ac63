# SPDX-License-Identifier: Apache-2.0
"""Live answers of a service over HTTP, for the backend of an app. Needs the standard library alone."""

from __future__ import annotations

import contextlib
import http.client
import json
import math
import os
import random
import re
import secrets
import socket
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import Message
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import SplitResult, quote, urlsplit

from ._errors import (
    AccessError,
    BudgetError,
    DataError,
    FoglineError,
    InvalidOption,
    ServiceError,
    invalid,
    type_of,
)

if TYPE_CHECKING:
    from ._results import Statement

_TRIES = 8
_FIRST_WAIT_S = 0.05
_LONGEST_WAIT_S = 2.0
_SHORTEST_TRY_S = 0.5
# Whoever answers so, the service or a proxy before it, may answer otherwise soon.
_PASSING = (408, 502, 503, 504)
_PORTS = {"http": 80, "https": 443}
_PROBLEM = "application/problem+json"


@dataclass(frozen=True)
class Position:
    """A released position, which may be shown to others. Its `repr` leaves out where it is.

    `vertex` is that of the road network, None where none is used. `released_at` is when it was drawn, in UTC, and
    `age_s` how long ago that was when it was asked for: a service may answer with its latest instead of a new one.
    `charged`: by this very answer; False also where an earlier try of the same request was charged. `statement` is
    the id of what is promised."""

    lon: float = field(repr=False)
    lat: float = field(repr=False)
    vertex: str | None = field(repr=False)
    released_at: datetime
    age_s: int
    charged: bool
    statement: str


@dataclass(frozen=True)
class Positions:
    """Released positions in the order in which they were asked for, of one charge and one statement. Can be gone
    through like a list."""

    positions: tuple[Position, ...] = field(repr=False)
    released_at: datetime
    age_s: int
    charged: bool
    statement: str

    def __len__(self) -> int:
        return len(self.positions)

    def __iter__(self) -> Iterator[Position]:
        return iter(self.positions)

    def __getitem__(self, index: int) -> Position:
        return self.positions[index]


@dataclass(frozen=True)
class SubjectBudget:
    """What one subject of a service has spent within the window, exactly.

    `epsilon` is the most that may be spent within `window`, per metre if `per_metre`; `positions_left` so many can
    be released now, and `renews_at` is when there will be more, in UTC; None: nothing is spent."""

    spent: Fraction
    remaining: Fraction
    epsilon: Fraction
    per_metre: bool
    window: timedelta
    renews_at: datetime | None
    positions_left: int
    cap: str  #: the same in words


class Client:
    """Asks a service that `fogline serve` runs.

        client = fl.Client("http://localhost:8080")
        safe = client.release("anna", lon=-30.01, lat=45.0)
        safe.lon, safe.lat
        client.budget("anna").positions_left

    `url` is http://HOST:PORT, https://HOST or unix:PATH. Plain http shows token and positions to the network between:
    it is for the same machine, or behind a proxy that encrypts. `token` is otherwise that of the environment,
    FOGLINE_TOKEN.

    Every release has an Idempotency-Key. If the service is away, too busy or silent, the same request is sent again
    with the same key, a few times within `timeout` seconds: it is charged once, and its answer is the same. Give
    `key` yourself if it must outlast the process.

    Good for several threads, and after fork(): each call has a connection of its own, which is kept for later calls.
    No exception and no `repr` holds the token or a position."""

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 10.0) -> None:
        self._address = _address_of(url)
        self._url = url
        given = os.environ.get("FOGLINE_TOKEN", "") if token is None else token
        if not isinstance(given, str) or not re.fullmatch(r"[!-~]+", given.strip()):
            raise invalid(
                "token",
                "is none",
                allowed="printable characters without blanks",
                hint="give it, or set FOGLINE_TOKEN; `fogline serve --new-token NAME` makes one",
            )
        self._token = given.strip()
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout < 1e6:
            raise invalid("timeout", "must be a number of seconds above 0")
        self._timeout_s = float(timeout)
        # Each with its process: a child after fork() must not read the answers of its parent.
        self._idle: deque[tuple[int, http.client.HTTPConnection]] = deque()

    def release(self, subject: str, *, lon: float, lat: float, key: str | None = None) -> Position:
        """The released position of a subject for its true one, in degrees. BudgetError, with `retry_after_s`, if its
        budget is spent and the service does not answer with its latest."""
        told, common = self._release(subject, _position(lon, lat), key)
        with _read_as_asked():
            return _position_from(told, common)

    def release_many(
        self,
        subject: str,
        positions: Iterable[Sequence[float]] | None = None,
        *,
        lon: Iterable[float] | None = None,
        lat: Iterable[float] | None = None,
        key: str | None = None,
    ) -> Positions:
        """The same for several at once, each of which is paid for: all of them or none. They are pairs of longitude
        and latitude, an array of such, or two arrays, `lon` and `lat`."""
        told, common = self._release(subject, {"positions": _positions(positions, lon, lat)}, key)
        with _read_as_asked():
            return Positions(tuple(_position_from(one, common) for one in told["positions"]), **common)

    def budget(self, subject: str) -> SubjectBudget:
        """What a subject has spent and has left."""
        told = _json(self._get(f"/v1/subjects/{_segment('subject', subject)}/budget"))
        with _read_as_asked():
            return SubjectBudget(
                spent=Fraction(told["spent"]),
                remaining=Fraction(told["remaining"]),
                epsilon=Fraction(told["epsilon"]),
                per_metre=bool(told["per_metre"]),
                window=timedelta(seconds=told["window_s"]),
                renews_at=_moment(told["renews_at"]) if told["renews_at"] else None,
                positions_left=int(told["positions_left"]),
                cap=str(told["cap"]),
            )

    def statement(self, id: str) -> Statement:
        """What was promised for an answer, by the id that came with it."""
        from ._results import Statement  # which needs the compiled module, as nothing else here does

        answer = self._get(f"/v1/statements/{_segment('id', id)}")
        with _read_as_asked():
            return Statement(answer.body.decode())

    def answer(self, id: str) -> str:
        """The answer that a statement is of, as CSV: what its hash was taken of."""
        answer = self._get(f"/v1/answers/{_segment('id', id)}")
        with _read_as_asked():
            return answer.body.decode()

    def ready(self) -> bool:
        """Does the service answer releases? Asked once, without the token."""
        try:
            answer = self._send_once(_Request("GET", "/readyz"), self._timeout_s)
        except (OSError, http.client.HTTPException):
            return False
        if answer.status == http.HTTPStatus.OK:
            return True
        if answer.status in _PASSING:
            return False
        raise _error_of(answer, "")

    def close(self) -> None:
        """Closes the connections that no call uses. A later call makes a new one."""
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop()[1].close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._url!r})"

    def __reduce__(self) -> Any:
        raise TypeError(
            "a client holds a token and connections: hand over its address, and make another there"
        )

    def _release(
        self, subject: str, asked: Mapping[str, Any], key: str | None
    ) -> tuple[Mapping[str, Any], dict[str, Any]]:
        if not isinstance(subject, str):
            raise invalid("subject", f"is a {type(subject).__name__}", allowed="a text")
        used = secrets.token_hex(16) if key is None else key
        if not isinstance(used, str) or not re.fullmatch(r"[!-~]{1,255}", used):
            raise invalid("key", "is no key", allowed="1 to 255 printable characters without blanks")
        body = json.dumps({"subject": subject, **asked}).encode()
        headers = {**self._authorization(), "Content-Type": "application/json", "Idempotency-Key": used}
        answer = self._send(_Request("POST", "/v1/place/release", body, headers))
        told = _json(answer)
        with _read_as_asked():
            common = {
                "released_at": _moment(told["released_at"]),
                "age_s": int(answer.headers.get("Age", "0")),
                "charged": answer.headers.get("Fogline-Charged") == "true",
                "statement": str(told["statement"]),
            }
        return told, common

    def _get(self, path: str) -> _Answer:
        return self._send(_Request("GET", path, None, self._authorization()))

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"}

    def _send(self, request: _Request) -> _Answer:
        """The answer, after as many tries as it takes and `timeout` allows."""
        key = request.headers.get("Idempotency-Key", "")
        until = time.monotonic() + self._timeout_s
        wait_s = _FIRST_WAIT_S
        failed: FoglineError
        for tries_left in reversed(range(_TRIES)):
            # Half of what is left, so that silence can be asked again.
            left_s = until - time.monotonic()
            asked_to_wait_s = 0
            try:
                answer = self._send_once(request, max(left_s / 2, min(left_s, _SHORTEST_TRY_S), 0.001))
            except (OSError, http.client.HTTPException) as error:
                failed = _unreachable(error, key)
                is_passing = _is_passing(error)
            else:
                if answer.status == http.HTTPStatus.OK:
                    return answer
                failed = _error_of(answer, key)
                is_passing = _is_asked_again(answer.status, failed)
                asked_to_wait_s = _seconds_in(answer.headers.get("Retry-After")) or 0
            pause_s = max(asked_to_wait_s, wait_s * random.uniform(0.5, 1))
            if not is_passing or tries_left == 0 or time.monotonic() + pause_s >= until:
                break
            time.sleep(pause_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
        raise failed

    def _send_once(self, request: _Request, timeout_s: float) -> _Answer:
        """Over a connection that is open, or over a new one if there is none or the other end left it meanwhile."""
        if (kept := self._kept()) is not None:
            try:
                return self._ask(kept, request, timeout_s)
            except TimeoutError:
                raise
            except (OSError, http.client.HTTPException):
                self.close()  # the others are most likely as old
        return self._ask(self._address.connection(), request, timeout_s)

    def _kept(self) -> http.client.HTTPConnection | None:
        with contextlib.suppress(IndexError):
            while True:
                process, connection = self._idle.pop()
                if process == os.getpid():
                    return connection
                connection.close()  # here alone: the parent has it still
        return None

    def _ask(self, connection: http.client.HTTPConnection, request: _Request, timeout_s: float) -> _Answer:
        process = os.getpid()
        try:
            connection.timeout = timeout_s
            if connection.sock is not None:
                connection.sock.settimeout(timeout_s)
            connection.request(
                request.method, self._address.prefix + request.path, request.body, request.headers
            )
            response = connection.getresponse()
            answer = _Answer(response.status, response.headers, response.read())
        except BaseException:
            # Also after an interrupt: the rest of this answer must not be taken for the next one's.
            connection.close()
            raise
        if connection.sock is not None:
            self._idle.append((process, connection))
        return answer


class _Request(NamedTuple):
    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = {}


class _Answer(NamedTuple):
    status: int
    headers: Message
    body: bytes


class _Address(NamedTuple):
    """Where a service is."""

    scheme: Literal["http", "https", "unix"]
    host: str  #: or the path of a socket
    port: int
    prefix: str  #: of its paths, if a proxy has it under one

    def connection(self) -> http.client.HTTPConnection:
        if self.scheme == "unix":
            return _UnixConnection(self.host)
        made = http.client.HTTPSConnection if self.scheme == "https" else http.client.HTTPConnection
        return made(self.host, self.port)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost")
        self._path = path

    def connect(self) -> None:
        made = socket.socket(socket.AF_UNIX)
        try:
            made.settimeout(self.timeout)
            made.connect(self._path)
        except BaseException:
            made.close()
            raise
        self.sock = made


def _address_of(url: str) -> _Address:
    wrong = invalid(
        "url", "is no address of a service", allowed="http://HOST:PORT, https://HOST:PORT or unix:PATH"
    )
    if not isinstance(url, str):
        raise wrong
    if url.startswith("unix:"):
        if not url.removeprefix("unix:") or "\0" in url:
            raise wrong
        return _Address("unix", url.removeprefix("unix:"), 0, "")
    try:
        parts = urlsplit(url)
        scheme: Literal["http", "https"] = "https" if parts.scheme == "https" else "http"
        host = parts.hostname or ""
        port = _PORTS[scheme] if parts.port is None else parts.port
        host.encode("idna")
    except ValueError:
        raise wrong from None
    if not _is_plain(url, parts) or not host:
        raise wrong
    return _Address(scheme, host, port, parts.path.rstrip("/"))


def _is_plain(url: str, parts: SplitResult) -> bool:
    """Nothing but where it is: no password, which a `repr` would show, and no question."""
    is_printable = re.fullmatch(r"[!-~]+", url) is not None
    return is_printable and parts.scheme in _PORTS and "@" not in parts.netloc and not (set("?#") & set(url))


def _segment(name: str, text: str) -> str:
    """A part of a path, whatever it holds."""
    if not isinstance(text, str) or not text.strip("."):
        raise invalid(name, "is none", allowed="a text that is not empty")
    return quote(text, safe="", errors="replace")


def _degrees(name: str, value: Any) -> float:
    # Nobody's own sentence goes up from here: it might quote the value.
    try:
        degrees = math.nan if isinstance(value, (str, bytes, bool)) else float(value)
    except Exception:
        degrees = math.nan
    if not math.isfinite(degrees):
        raise invalid(name, "is no number of degrees")
    return degrees


def _position(lon: Any, lat: Any) -> dict[str, float]:
    return {"lon": _degrees("lon", lon), "lat": _degrees("lat", lat)}


def _positions(pairs: Any, lon: Any, lat: Any) -> list[dict[str, float]]:
    allowed = "pairs of lon and lat, or as many `lon` as `lat`"
    if (pairs is None) == (lon is None) or (lon is None) != (lat is None):
        raise invalid("positions", "are given twice, by half, or not at all", allowed=allowed)
    try:
        rows = [tuple(pair) for pair in pairs] if pairs is not None else list(zip(lon, lat, strict=True))
    except Exception:
        rows = [()]
    if any(len(row) != 2 for row in rows):
        raise invalid("positions", "are none", allowed=allowed)
    return [_position(*row) for row in rows]


def _position_from(told: Mapping[str, Any], common: Mapping[str, Any]) -> Position:
    vertex = told.get("vertex")
    return Position(
        lon=float(told["lon"]),
        lat=float(told["lat"]),
        vertex=None if vertex is None else str(vertex),
        **common,
    )


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _json(answer: _Answer) -> dict[str, Any]:
    with _read_as_asked():
        return dict(json.loads(answer.body))


@contextlib.contextmanager
def _read_as_asked() -> Iterator[None]:
    try:
        yield
    except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError):
        raise ServiceError(
            "the answer is not one of this service", code="no-answer", to_try="is the address right?"
        ) from None


def _seconds_in(text: str | None) -> int | None:
    """Of a header Retry-After; a date in it is left to whoever wrote it."""
    return int(text) if text is not None and re.fullmatch(r"[0-9]{1,9}", text) else None


def _told_by(answer: _Answer) -> dict[str, str]:
    """A problem as the service tells it. Of whoever else may have answered nothing is taken over: it could be what
    was sent."""
    if answer.headers.get("Content-Type", "").split(";")[0].strip().lower() != _PROBLEM:
        return {}
    try:
        told = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return (
        {name: text for name, text in told.items() if isinstance(text, str)} if isinstance(told, dict) else {}
    )


def _error_of(answer: _Answer, key: str) -> FoglineError:
    """What an answer that is none of 200 is raised as."""
    status, told = answer.status, _told_by(answer)
    wrong = told.get("detail") or told.get("title") or f"the service answered with status {status}"
    retry_after_s = _seconds_in(answer.headers.get("Retry-After"))
    code = told.get("code", "no-answer")
    problem = {"code": code, **{name: told.get(name, "") for name in ("field", "allowed", "to_try")}}
    if status == http.HTTPStatus.TOO_MANY_REQUESTS and told:
        return BudgetError(wrong, **problem, retry_after_s=retry_after_s)
    if status in (http.HTTPStatus.UNAUTHORIZED, http.HTTPStatus.FORBIDDEN):
        return AccessError(wrong, **problem, status=status, key=key)
    if status in (http.HTTPStatus.BAD_REQUEST, http.HTTPStatus.UNPROCESSABLE_ENTITY):
        return type_of(code, InvalidOption)(wrong, **problem)
    if status == http.HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return DataError(wrong, **problem)
    return ServiceError(wrong, **problem, status=status, key=key, retry_after_s=retry_after_s)


def _is_asked_again(status: int, failed: FoglineError) -> bool:
    if status == http.HTTPStatus.TOO_MANY_REQUESTS:  # of a proxy
        return not isinstance(failed, BudgetError)
    return status in _PASSING and failed.code != "ledger-refuses"


def _is_passing(error: Exception) -> bool:
    """Not what is the same a second later: a certificate that is not believed (a ValueError as well), no right to
    open a socket."""
    return not isinstance(error, (ValueError, PermissionError))


def _unreachable(error: Exception, key: str) -> ServiceError:
    if isinstance(error, TimeoutError):
        why = "it did not answer in time"
    elif isinstance(error, OSError):
        why = error.strerror or "the connection ended"
    else:
        why = "the connection ended, or it does not speak HTTP"
    return ServiceError(
        f"the service gave no answer: {why}",
        code="no-answer",
        to_try="send the same again with its `key`: it is charged once" if key else "",
        key=key,
    )
