# SPDX-License-Identifier: Apache-2.0
"""The fields of a request, as the core's table tells them: what Python's arguments are made of, and how their
values are handed over.

No default, range or rule stands here. A value of a type that no field takes is handed over as nothing, so that the
core refuses it in its own words."""

from __future__ import annotations

import inspect
import json
import keyword
import math
import numbers
import os
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from . import _core
from ._errors import invalid

_RANGE = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")


@dataclass(frozen=True)
class Field:
    name: str  #: "max-snap"
    told: dict[str, Any]  #: its part of the JSON schema

    @property
    def argument(self) -> str:
        name = self.name.replace("-", "_")
        return name + "_" if keyword.iskeyword(name) else name

    @property
    def types(self) -> list[str]:
        told = self.told["type"]
        return [told] if isinstance(told, str) else list(told)

    @property
    def role(self) -> str:
        return str(self.told.get("x-role", "setting"))

    @property
    def is_file(self) -> bool:
        return self.role in ("private input", "public input")

    @property
    def is_exact(self) -> bool:
        """A text that is an exact number, such as epsilon."""
        return "string" in self.types and any(bound in self.told for bound in _RANGE)

    @property
    def default(self) -> Any:
        return self.told.get("default")

    def annotation(self) -> str:
        """As it stands in signatures and stubs."""
        if "enum" in self.told:
            kind = f"Literal[{', '.join(json.dumps(choice) for choice in self.told['enum'])}]"
        elif self.is_file:
            kind = "Network | File" if self.name == "network" else "Records"
        elif "string" in self.types:
            kind = "Exact" if self.is_exact else "Text"
        else:
            kind = {"boolean": "bool", "integer": "int", "number": "float", "array": "Sequence[Text]"}[
                self.types[0]
            ]
        return kind if self.default is not None else f"{kind} | None"

    def sentence(self) -> str:
        """What it is for and what it may hold, on one line."""
        text = str(self.told["description"])
        if "enum" in self.told:
            text += f"; one of {', '.join(self.told['enum'])}"
        bounds = [word + f" {self.told[key]:,}" for key, word in _WORDS if key in self.told]
        if bounds and not (bounds == ["from 0"] and self.types == ["integer"]):
            text += "; " + " ".join(bounds)
        return f"{text}, in {self.told['x-unit']}" if "x-unit" in self.told else text

    def json(self, value: Any) -> Any:
        """The value as JSON has it; None where no field takes such a value."""
        if "array" in self.types and isinstance(value, (list, tuple)):
            return [self._one(item) for item in value]
        if "string" in self.types and isinstance(value, Mapping) and value:
            value = [f"{name}={part}" for name, part in value.items()]
        if "string" in self.types and isinstance(value, (list, tuple)) and value:
            parts = [self._one(item) for item in value]
            return None if any(part is None for part in parts) else ",".join(map(str, parts))
        return self._one(value)

    def _one(self, value: Any) -> Any:
        if isinstance(value, str):
            return str(value) if _is_text(value) else None
        if isinstance(value, bool):
            return value
        if isinstance(value, os.PathLike):
            path = os.fspath(value)
            return path if isinstance(path, str) and _is_text(path) else None
        if isinstance(value, np.bool_):
            return bool(value)
        return self._number(value)

    def _number(self, value: Any) -> Any:
        is_text = not {"number", "integer"} & set(self.types) or "string" in self.types
        if isinstance(value, numbers.Integral) and (self.types == ["integer"] or is_text):
            return int(value)
        if isinstance(value, (Fraction, Decimal)) and (is_text or self.types == ["integer"]):
            return str(value)
        if not isinstance(value, (numbers.Real, Decimal)):
            return None
        try:
            number = float(value)
        except (OverflowError, ValueError):  # beyond all numbers, or a Decimal that is none
            return None
        if not math.isfinite(number):
            return None
        if self.is_exact:
            raise self._refused(number)
        return repr(number) if is_text else number

    def _refused(self, number: float) -> Exception:
        meant = Fraction(number).limit_denominator(1_000_000)
        if float(meant) != number:
            meant = Fraction(repr(number))
        text = (
            f'"{meant.numerator}/{meant.denominator}"' if meant.denominator != 1 else f'"{meant.numerator}"'
        )
        return invalid(
            self.name,
            "must be exact, and a float is not",
            allowed="a text, an int, a Fraction or a Decimal",
            hint=f"probably you mean {text}",
        )


def _is_text(value: str) -> bool:
    """Half a character of UTF-16, as in names of files that are no UTF-8, is none that JSON can tell."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


_WORDS = (
    ("minimum", "from"),
    ("exclusiveMinimum", "above"),
    ("maximum", "to"),
    ("exclusiveMaximum", "below"),
)


@cache
def fields_of(kind: str, verb: str) -> dict[str, Field]:
    """The fields of a verb by their argument's name, in the order of the table."""
    told = json.loads(_core.schema(kind, verb))["properties"]
    fields = [Field(name, part) for name, part in told.items()]
    return {field.argument: field for field in fields}


def parameters_of(kind: str, verb: str) -> list[inspect.Parameter]:
    """As `inspect` knows them: what the command line takes by its place may stand without a name, everything else
    is named."""
    by_name, free = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = []
    for argument, field in fields_of(kind, verb).items():
        if argument == "ledger":
            continue  # handed over as an object, last
        place = free if field.told.get("x-positional") else by_name
        parameters.append(
            inspect.Parameter(argument, place, default=field.default, annotation=field.annotation())
        )
    parameters.sort(key=lambda parameter: parameter.kind)
    return parameters
