# SPDX-License-Identifier: Apache-2.0
"""The verbs of the kind `stream`, made of the core's tables of fields; stream.pyi has their signatures for type
checkers."""

from ._live import Live as Live
from ._live import live_function
from ._verbs import functions_of

globals().update(functions_of("stream", __name__))
live = live_function("stream", __name__)
