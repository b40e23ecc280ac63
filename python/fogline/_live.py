# SPDX-License-Identifier: Apache-2.0
"""Streams that are answered while they arrive."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._errors import invalid
from ._ledger import ledger_of
from ._results import Released
from ._verbs import _extras, _request, hear


class Live:
    """A release that answers step by step.

        with fl.stream.live(model="house.csv", policy="complete", epsilon=1, ledger=ledger, dataset="walk") as stream:
            answer = stream.step("hall")
        stream.released.statement

    Each answer is charged before it is drawn, and cannot be taken back. Names of columns are those of the first step."""

    def __init__(self, kind: str, given: dict[str, Any]) -> None:
        ledger, progress, threads = _extras(given)
        if progress:
            raise invalid("progress", "is not for what is live")
        request = json.dumps(_request(kind, "release", given, None))
        self._ledger = ledger_of(ledger)
        self._core = _core.Live(kind, request, self._ledger._core, hear, threads)
        self._kind = kind
        self._columns: list[str] = []
        self._header: list[str] = []
        self.released: Released | None = None  #: once it is closed

    def step(self, record: Mapping[str, Any] | str) -> dict[str, str]:
        """The answer to one record: its columns by name, or the state alone. Waits for it."""
        values = dict(record) if isinstance(record, Mapping) else {"state": record}
        first = not self._columns
        self._columns = self._columns or list(values)
        if list(values) != self._columns:
            raise invalid("record", "has other columns than the first", allowed=", ".join(self._columns))
        lines = ([self._columns] if first else []) + [[_text(value) for value in values.values()]]
        rows = list(csv.reader(io.StringIO(self._core.step(_csv(lines)))))
        if rows and not self._header:
            self._header = rows.pop(0)
        return dict(zip(self._header, rows[-1])) if rows else {}

    def close(self) -> Released:
        """Ends it: what was released, with its statement."""
        if self.released is None:
            self.released = Released(self._kind, self._core.close(), dict)
        return self.released

    def __enter__(self) -> Live:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
        else:
            del self._core  # stops it; what was answered stays charged

    def __repr__(self) -> str:
        return f"<Live {self._kind} release>"


def _text(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return repr(float(value)) if np.isfinite(value) else ""
    return "" if value is None else str(value)


def _csv(lines: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def live(**fields: Any) -> Live:
    """A release of states, positions or coordinates that is answered step by step; the fields are those of fogline.stream.release()."""
    return Live("stream", fields)
