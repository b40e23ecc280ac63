# SPDX-License-Identifier: Apache-2.0
"""Ledgers: the lasting record of what was released and what it cost."""

from __future__ import annotations

import numbers
import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._errors import FoglineWarning, invalid

if TYPE_CHECKING:
    from ._results import Findings

Measure = Literal["plain", "per_metre"]


@dataclass(frozen=True)
class Budget:
    """What one dataset has spent of one measure, exactly."""

    spent: Fraction
    cap: Fraction | None  #: None: nothing limits it
    remaining: Fraction | None


@dataclass(frozen=True)
class Entry:
    """One line of a ledger: docs/ledger.md."""

    number: int
    time_unix_s: int
    event: str  #: "charge", "settled", "refused", "dataset", "cap", ...
    dataset: str
    kind: str
    mechanism: str
    output: str
    guarantee: str
    settles: int
    output_sha256: str
    statement_sha256: str
    hash: str


class Ledger:
    """A ledger file, made if it is not there, checked once, and handed to each release.

        ledger = fl.Ledger("my.ledger")
        ledger.add("riders", cap="epsilon 1 per metre")
        fl.place.release(riders, network="city:1", epsilon="1/100", ledger=ledger, dataset="riders")
        ledger.remaining("riders", "per_metre")

    Good for several threads, and beside other processes; not in a child after fork(). Without a path it is the one
    that the command line takes."""

    def __init__(self, path: str | os.PathLike[str] | None = None, *, anchor: str = "") -> None:
        self._core = _core.Ledger(_usual_path() if path is None else _path(path), anchor)

    @property
    def path(self) -> str:
        """Of its file."""
        return self._core.path

    def add(
        self,
        dataset: str,
        *,
        cap: str | Iterable[str] = (),
        uncapped: bool = False,
        refusals: int | None = None,
    ) -> None:
        """Declares a dataset and the most that may be spent on it ("epsilon 2", "epsilon 1/2 per metre", either
        also "per person"), or says that nothing limits it. `refusals`: as set_refusals() has it."""
        if uncapped and cap:
            raise invalid("cap", "does not go with `uncapped`")
        caps = [cap] if isinstance(cap, str) else list(cap) if isinstance(cap, Iterable) else [cap]
        if not all(isinstance(one, str) for one in caps):
            raise invalid(
                "cap", "must be a text", allowed='"epsilon 2", "epsilon 1/2 per metre", ... or several'
            )
        if uncapped:
            self._core.add_uncapped_dataset(dataset)
        else:
            self._core.add_dataset(dataset, caps)
        if refusals is not None:
            self.set_refusals(dataset, refusals)

    @classmethod
    def accept(cls, path: str | os.PathLike[str], *, anchor: str, reason: str) -> Ledger:
        """Opens a ledger that its anchor disagrees with, as after a backup was put back: takes it as it is, with
        the reason as an entry for all to see, and has the anchor begin anew from there."""
        accepted = cls.__new__(cls)
        accepted._core = _core.Ledger.accept(_path(path), anchor, reason)
        return accepted

    def set_cap(self, dataset: str, epsilon: str | int | Fraction, measure: Measure = "plain") -> None:
        """Sets, raises or lowers the most that may be spent on a declared dataset: a number, or as add() takes it
        ("epsilon 2 per person")."""
        if dataset not in self.datasets:
            warnings.warn(f"dataset {dataset!r} was not declared, and is now", FoglineWarning, stacklevel=2)
        if isinstance(epsilon, str) and epsilon.startswith("epsilon"):
            return self._core.set_cap_of(dataset, epsilon)
        if isinstance(epsilon, bool) or not isinstance(epsilon, (str, numbers.Rational, Decimal)):
            raise invalid("epsilon", "must be exact", allowed="a text, an int, a Fraction or a Decimal")
        self._core.set_cap(dataset, str(epsilon), _is_per_metre(measure))

    def _require_declared(self, dataset: str) -> None:
        if dataset not in self.datasets:
            raise invalid(
                "dataset", "is not declared", allowed=", ".join(self.datasets), hint="add() declares one"
            )

    def set_refusals(self, dataset: str, most: int) -> None:
        """How many guarded requests may be refused in all (10 if nothing is said): a refusal tells something of
        the records."""
        if isinstance(most, bool) or not isinstance(most, numbers.Integral) or not 0 <= most < 2**63:
            raise invalid("refusals", "must be a whole number from 0")
        self._core.set_refusals(dataset, int(most))

    def budget(self, dataset: str, measure: Measure = "plain") -> Budget:
        """What is spent, the cap and what is left, of epsilon ("plain") or of epsilon per metre ("per_metre")."""
        self._require_declared(dataset)
        return _budget(self._core.budget(dataset, _is_per_metre(measure)))

    def spent(self, dataset: str, measure: Measure = "plain") -> Fraction:
        """Of budget()."""
        return self.budget(dataset, measure).spent

    def cap(self, dataset: str, measure: Measure = "plain") -> Fraction | None:
        """Of budget(); None: nothing limits it."""
        return self.budget(dataset, measure).cap

    def remaining(self, dataset: str, measure: Measure = "plain") -> Fraction | None:
        """Of budget(); None: nothing limits it."""
        return self.budget(dataset, measure).remaining

    def person(self, dataset: str, measure: Measure = "plain") -> tuple[Budget, int]:
        """What one person can have lost at most, and how many releases bound nothing of that."""
        self._require_declared(dataset)
        most, unbounded = self._core.person_loss(dataset, _is_per_metre(measure))
        return _budget(most), unbounded

    @property
    def datasets(self) -> list[str]:
        """Their names."""
        return self._core.datasets()

    @property
    def entries(self) -> list[Entry]:
        """All lines, the oldest first."""
        return [Entry(**line) for line in self._core.lines()]

    @property
    def head(self) -> str:
        """Hash of the last entry. Written down elsewhere, it shows later that nothing before it was changed."""
        return self._core.head()

    def verify(self) -> Findings:
        """Looks for any change of the file; `.passed` tells."""
        from ._verbs import analyse

        return analyse("ledger", "verify", {"ledger": self.path})

    def __repr__(self) -> str:
        return f"Ledger({self.path!r})"

    def __reduce__(self) -> Any:
        raise TypeError("a ledger belongs to its process: hand over its path, and open it there")


def ledger_of(given: Ledger | str | os.PathLike[str] | None) -> Ledger:
    return given if isinstance(given, Ledger) else Ledger(given)


def _path(given: Any) -> str:
    path = os.fspath(given) if isinstance(given, (str, os.PathLike)) else None
    if not isinstance(path, str):
        raise invalid("ledger", f"is a {type(given).__name__}", allowed="a Ledger, or the path of one")
    return path


def _usual_path() -> str:
    data = os.environ.get("XDG_DATA_HOME", "")
    folder = Path(data if data.startswith("/") else Path.home() / ".local" / "share") / "fogline"
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "ledger.sqlite")


def _is_per_metre(measure: str) -> bool:
    if measure not in ("plain", "per_metre"):
        raise invalid("measure", "is not known", allowed="one of plain, per_metre")
    return measure == "per_metre"


def _budget(told: tuple[str, str, str]) -> Budget:
    spent, cap, remaining = (Fraction(text) if text else None for text in told)
    return Budget(spent or Fraction(0), cap, remaining)
