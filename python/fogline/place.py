# SPDX-License-Identifier: Apache-2.0
"""The verbs of the kind `place`, made of the core's tables of fields; place.pyi has their signatures for type
checkers."""

from ._live import Live as Live
from ._live import live_function
from ._mechanism import Mechanism as Mechanism
from ._verbs import functions_of

globals().update(functions_of("place", __name__))
live = live_function("place", __name__)
