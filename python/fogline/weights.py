# SPDX-License-Identifier: Apache-2.0
"""The verbs of the kind `weights`, made of the core's tables of fields; weights.pyi has their signatures for type
checkers."""

from ._verbs import functions_of

globals().update(functions_of("weights", __name__))
