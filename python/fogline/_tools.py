# SPDX-License-Identifier: Apache-2.0
"""Verbs that are of no kind, made of the core's tables of fields."""

from __future__ import annotations

import json
from typing import Any

from . import _core
from ._verbs import function_of

report = function_of("", "report", False, "fogline")
selftest = function_of("", "selftest", False, "fogline")
verify = function_of("", "verify", False, "fogline")


def schema(kind: str, verb: str) -> dict[str, Any]:
    """JSON schema of a verb's fields, as `fogline schema` prints it."""
    return dict(json.loads(_core.schema(kind, verb)))
