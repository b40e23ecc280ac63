# SPDX-License-Identifier: Apache-2.0
"""What Fogline raises. Every exception tells the same as data: `.code`, `.field`, `.allowed`, `.hint`."""

from __future__ import annotations

import json
import re
from typing import Any


class FoglineError(Exception):
    """Root of everything that Fogline raises. A message never holds a private value."""

    def __init__(self, wrong: str = "", **problem: Any) -> None:
        self.wrong = spelled(wrong)
        self.code: str = problem.get("code", "error")  #: "invalid-option", "over-budget", ...
        self.field: str = problem.get("field", "").replace("-", "_")  #: the argument at fault, or nothing
        self.allowed: str = problem.get("allowed", "")  #: what that argument may be, or nothing
        self.hint: str = spelled(problem.get("to_try", ""))  #: what to try, or nothing
        self.file: str = problem.get("file", "")
        self.line: int = problem.get("line", 0)
        self.record: int = problem.get("record", 0)
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        place = self.file
        if self.line:
            place += f", line {self.line}"
        elif self.record:
            place += f", record {self.record}"
        text = ": ".join(part for part in (self.field or place, self.wrong) if part)
        return f"{text}; {self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.wrong, {**self.__dict__, "to_try": self.hint})


class InvalidOption(FoglineError, ValueError):
    """An argument that is of the wrong type, outside its range, or does not go with the others."""


class DataError(FoglineError, ValueError):
    """Records or a file whose content is wrong, or larger than its limits."""


class FileError(FoglineError, OSError):
    """A file that cannot be opened, read or written."""


class BudgetError(FoglineError):
    """A release that the ledger refuses: over a cap, or of a dataset that nobody declared. Nothing was charged."""

    def __init__(self, wrong: str = "", **problem: Any) -> None:
        super().__init__(wrong, **problem)
        #: seconds until the same would be allowed, of a service whose budgets renew; otherwise None
        self.retry_after_s: int | None = problem.get("retry_after_s")


class ServiceError(FoglineError):
    """A service that cannot be reached, or has no answer. The same release with this `key` is charged once."""

    def __init__(self, wrong: str = "", **problem: Any) -> None:
        super().__init__(wrong, **problem)
        self.status: int | None = problem.get("status")  #: of HTTP; None: nothing came back
        self.key: str = problem.get("key", "")  #: of a release, its Idempotency-Key
        self.retry_after_s: int | None = problem.get(
            "retry_after_s"
        )  #: if the service said when to ask again


class AccessError(ServiceError):
    """A service that does not know the token, or that the token does not allow this."""


class Cancelled(FoglineError):
    """Somebody asked to stop."""


class Forked(FoglineError, RuntimeError):
    """A ledger or a stream was used in a child process after fork()."""


class FoglineWarning(UserWarning):
    """What whoever asks must know; goes through `warnings`."""


_TYPES: dict[str, type[FoglineError]] = {
    "invalid-option": InvalidOption,
    "bad-data": DataError,
    "over-limit": DataError,
    "file": FileError,
    "over-budget": BudgetError,
    "undeclared-dataset": BudgetError,
    "bounds-no-person": BudgetError,
    "refused-too-often": BudgetError,
    "of-subjects": BudgetError,
    "cancelled": Cancelled,
    "forked": Forked,
}


def _again(kind: type[FoglineError], wrong: str, problem: dict[str, Any]) -> FoglineError:
    return kind(wrong, **{name: value for name, value in problem.items() if name != "wrong"})


def spelled(sentence: str) -> str:
    """Sentences name fields in back quotes; here they are called as arguments of Python are."""
    return re.sub(r"`([a-z-]+)`", lambda found: f"`{found[1].replace('-', '_')}`", sentence)


def type_of(code: str, otherwise: type[FoglineError] = FoglineError) -> type[FoglineError]:
    """The class for a code."""
    return _TYPES.get(code, otherwise)


def exception_of(problem: str) -> FoglineError:
    """The exception for a problem as the core tells it, in JSON."""
    told = json.loads(problem)
    return type_of(told.get("code", ""))(told.pop("wrong", ""), **told)


def invalid(field: str, wrong: str, *, allowed: str = "", hint: str = "") -> InvalidOption:
    return InvalidOption(wrong, code="invalid-option", field=field, allowed=allowed, to_try=hint)
