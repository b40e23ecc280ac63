# SPDX-License-Identifier: Apache-2.0
"""Places, streams, paths, edge weights and traces under differential privacy.

    import fogline as fl

    ledger = fl.Ledger("my.ledger")
    ledger.add("riders", cap="epsilon 1 per metre")
    print(fl.place.plan(network="city:1", epsilon="1/100"))
    safe = fl.place.release(riders, network="city:1", epsilon="1/100", ledger=ledger, dataset="riders")
    safe.data, safe.statement

The verbs are those of the command line, and so are their fields: docs/python.md."""

from . import keys, path, place, sample, stream, traces, weights
from ._client import Client, Position, Positions, SubjectBudget
from ._core import version as __version__
from ._errors import (
    AccessError,
    BudgetError,
    Cancelled,
    DataError,
    FileError,
    FoglineError,
    FoglineWarning,
    Forked,
    InvalidOption,
    ServiceError,
)
from ._ledger import Budget, Entry, Ledger
from ._network import Network
from ._papers import claims, figures, reproduce
from ._results import Figure, Findings, Released, Statement
from ._tools import report, schema, selftest, verify

__all__ = [
    "AccessError",
    "BudgetError",
    "Budget",
    "Cancelled",
    "Client",
    "DataError",
    "Entry",
    "Figure",
    "FileError",
    "Findings",
    "FoglineError",
    "FoglineWarning",
    "Forked",
    "InvalidOption",
    "Ledger",
    "Network",
    "Position",
    "Positions",
    "Released",
    "ServiceError",
    "Statement",
    "SubjectBudget",
    "__version__",
    "claims",
    "figures",
    "keys",
    "path",
    "place",
    "report",
    "reproduce",
    "sample",
    "schema",
    "selftest",
    "stream",
    "traces",
    "verify",
    "weights",
]
