# SPDX-License-Identifier: Apache-2.0
"""Data to try things with, as `fogline sample` makes them; sample.pyi has the signatures for type checkers."""

from ._verbs import functions_of

globals().update(functions_of("sample", __name__))
