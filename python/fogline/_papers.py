# SPDX-License-Identifier: Apache-2.0
"""What is claimed, and what of the papers holds."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from . import _core
from ._progress import shown
from ._results import Figure
from ._verbs import hear


def claims() -> list[dict[str, Any]]:
    """What every mechanism promises, what must be public for that, who checks it, and which published promises do
    not hold; those that hold first. As `fogline claims --json`."""
    return list(json.loads(_core.claims()))


def figures() -> dict[str, str]:
    """Figures of the five papers that reproduce() computes anew: by name, what each shows."""
    return dict(_core.figures())


def reproduce(
    name: str,
    *,
    quick: bool = False,
    data: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Figure:
    """Computes a paper's experiment anew; nothing private is read, and nothing charged. As `fogline reproduce`.

    Arguments:
        name: one of figures()
        quick: smaller data and fewer points: seconds instead of minutes
        data: folder of real data; without one generated data takes its place, and the result says so
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """
    folder = "" if data is None else os.fspath(data)
    with shown(progress) as show:
        return Figure(*_core.compute_figure(name, quick, folder, hear, show, threads))
