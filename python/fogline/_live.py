# SPDX-License-Identifier: Apache-2.0
"""Streams that are answered while they arrive."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import tempfile
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _core
from ._errors import FoglineError, invalid
from ._ledger import ledger_of
from ._results import Released, Statement
from ._verbs import _extras, _request, bound, docstring_of, hear, passphrase_of, signature_of


class Live:
    """A release that answers step by step, for one thread at a time or several.

        asked = {"model": "house.csv", "policy": "complete", "epsilon": 1, "ledger": ledger, "dataset": "walk"}
        with fl.stream.live(**asked) as stream:
            answer = stream.step("hall")
        stream.released.statement

    A stream is charged once, with its first step, before anything is drawn; of positions each is a release of its
    own, charged when it comes, with a line in the file `statement`. What was answered cannot be taken back. Names
    of columns are those of the first step. A block that ends with an exception ends the stream as well. A record
    that is refused ends it, too: start it anew for those that follow. `statement` is of what was answered, however
    it ended."""

    def __init__(self, kind: str, given: dict[str, Any]) -> None:
        passphrase = passphrase_of(given)
        ledger, progress, threads = _extras(given)
        if progress:
            raise invalid("progress", "is not for what is live")
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if kind == "place":  # each position is a release of its own
            given["live"] = True
        elif given.get("statement") is None:  # where it is found if the stream ends with an error
            self._folder = tempfile.TemporaryDirectory(prefix="fogline-")
            given["statement"] = os.path.join(self._folder.name, "release.statement.json")
        self._statement_file = (
            os.path.abspath(given["statement"]) if given.get("statement") is not None else ""
        )
        request = json.dumps(_request(kind, "release", given, None))
        self._ledger = ledger_of(ledger)
        self._core = _core.Live(kind, request, self._ledger._core, hear, threads, passphrase)
        self._kind = kind
        self._columns: list[str] = []
        self._header: list[str] = []
        self._turn = threading.RLock()  # an answer goes to whoever asked
        self.released: Released | None = None  #: once it is closed
        self.unheard: list[
            dict[str, str]
        ] = []  #: answers that were paid for while whoever asked was interrupted

    def step(self, record: Mapping[str, Any] | str) -> dict[str, str]:
        """The answer to one record: its columns by name, or the state alone. Waits for it."""
        values = dict(record) if isinstance(record, Mapping) else {"state": record}
        with self._turn:
            columns = self._columns or list(values)
            if values.keys() != set(columns):
                raise invalid("record", "has other columns than the first", allowed=", ".join(columns))
            lines = ([] if self._columns else [columns]) + [[_text(values[name]) for name in columns]]
            text = _csv(lines)
            self._columns = columns
            answers = self._read(self._core.step(text))
            return answers[-1] if answers else {}

    def _read(self, text: str) -> list[dict[str, str]]:
        rows = list(csv.reader(io.StringIO(text)))
        if rows and not self._header:
            self._header = rows.pop(0)
        return [dict(zip(self._header, row)) for row in rows]

    def close(self) -> Released | None:
        """Ends it: what was released, with its statement; None if nothing was asked for."""
        with self._turn:
            if self.released is None and self._columns:
                try:
                    self.released = Released(self._kind, self._core.close(), dict)
                finally:
                    self.unheard += self._read(self._core.answered())
            return self.released

    @property
    def statement(self) -> Statement | None:
        """Of a stream, what is promised for what was answered; None before the first answer. Of positions each has
        its own, in the file `statement`."""
        if self._kind != "stream" or not os.path.exists(self._statement_file):
            return None
        return Statement.load(self._statement_file)

    def __enter__(self) -> Live:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
            return
        with contextlib.suppress(FoglineError):  # what ended the stream is on its way already
            self.close()

    def __repr__(self) -> str:
        return f"<Live {self._kind} release>"


def _text(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return repr(float(value)) if np.isfinite(value) else ""
    # Half a character of UTF-16 is none, and is refused as any other text that is no number.
    return "" if value is None else str(value).encode("utf-8", "replace").decode()


def _csv(lines: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def live_function(kind: str, module: str) -> Callable[..., Live]:
    """`live` of a kind, with the arguments of its release but for records and progress."""
    released = signature_of(kind, "release", True)
    taken = [part for part in released.parameters.values() if part.name not in ("input", "progress", "live")]
    signature = released.replace(parameters=taken, return_annotation="Live")

    def live(*args: Any, **kwargs: Any) -> Live:
        return Live(kind, bound(f"{module}.live", signature, args, kwargs))

    live.__qualname__, live.__module__ = "live", module
    live.__doc__ = docstring_of(kind, "live", signature)
    live.__signature__ = signature  # type: ignore[attr-defined]
    return live
