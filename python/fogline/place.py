# SPDX-License-Identifier: Apache-2.0
"""The verbs of the kind `place`, made of the core's tables of fields; place.pyi has their signatures for type checkers."""

from ._mechanism import Mechanism as Mechanism
from ._verbs import functions_of

globals().update(functions_of("place", __name__))
