# SPDX-License-Identifier: Apache-2.0
"""The verbs of the kind `path`, made of the core's tables of fields; path.pyi has their signatures for type
checkers."""

from ._verbs import functions_of

globals().update(functions_of("path", __name__))
