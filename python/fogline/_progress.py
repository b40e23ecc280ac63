# SPDX-License-Identifier: Apache-2.0
"""How far a long call is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._errors import invalid

Show = Callable[[str, int, int], object]


@contextmanager
def shown(progress: Any) -> Iterator[Show | None]:
    """What the core tells progress to: nobody, the function that was given, or a bar."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        bar = _Bar()
        try:
            yield bar
        finally:
            bar.close()
    elif callable(progress):
        yield progress
    else:
        raise invalid(
            "progress", "must be True, False or a function", allowed="a function of task, done and total"
        )


class _Bar:
    """A bar of tqdm, which knows terminals and notebooks; nothing without it."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._make, self._task = tqdm, ""
        self._bar: Any = None

    def __call__(self, task: str, done: int, total: int) -> None:
        if self._make is None:
            return
        if self._bar is None or task != self._task:
            self.close()
            self._bar, self._task = self._make(desc=task, total=total or None, leave=False), task
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
