# SPDX-License-Identifier: Apache-2.0
"""Names of types in signatures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

#: An exact number, such as epsilon: "1/100", Fraction(1, 100), Decimal("0.01"), 2. A float is refused.
Exact = str | int | Fraction | Decimal | Sequence[str | int | Fraction | Decimal]
#: A text; numbers are written as texts, and several with commas between them.
Text = str | float | Fraction | Decimal | os.PathLike[str] | Sequence[str | float | Fraction | Decimal]
File = str | os.PathLike[str]
#: A path, a mapping of columns, a data frame, an Arrow table, a graph: docs/python.md.
Records = Any
