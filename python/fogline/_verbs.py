# SPDX-License-Identifier: Apache-2.0
"""The functions of each kind, made of the tables of fields, and how they call the core."""

from __future__ import annotations

import difflib
import inspect
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from . import _core
from ._errors import DataError, FoglineError, FoglineWarning, InvalidOption, invalid, spelled
from ._fields import Field, fields_of, parameters_of
from ._frames import is_path, is_table, records_of
from ._ledger import Ledger, ledger_of
from ._memory import MemoryFiles
from ._network import Network
from ._progress import shown
from ._results import Findings, Released

_LOG = logging.getLogger("fogline")
_FOLDER = os.path.dirname(os.path.abspath(__file__))

_KINDS = {
    "place": "positions on a road network",
    "stream": "sequences of states",
    "path": "one route",
    "weights": "the edge weights of a graph",
    "traces": "a set of trips",
    "ledger": "a ledger",
    "network": "a road network",
}
_VERBS = {
    "release": "Releases {of}: charged first, drawn second, with a statement of what is promised.",
    "distances": "Releases the shortest-path distances of a graph instead of its weights.",
    "live": "Answers {of} one at a time, as they come: docs/python.md.",
    "plan": "What a release of {of} would promise, cost and blur. Reads no private record, and charges nothing.",
    "measure": "What a release of {of} is still good for. For the curator alone: exact figures of private records.",
    "attack": "What somebody can learn from a release of {of}.",
    "audit": "Whether a mechanism for {of} keeps its promise.",
    "learn": "A model of how states follow each other, learned from public sequences.",
    "recover": "A published route, read with the roads that one knows.",
    "draw": "A picture of a published route.",
    "optimise": "The outputs of GEM that serve a public prior best.",
    "prepare": "A mechanism that is built once, and written with its map.",
    "kernel": "The table of a mechanism, for other programs.",
    "verify": "Whether a release is what its statement says; with ledger and keys, whether it was drawn, and by whom.",
    "report": "One page of HTML about releases, for people.",
    "selftest": "Whether the auditor finds the mistakes that are planted for it, and none in what is right.",
}
_EXTRA = {
    "ledger": ("Ledger | File | None", "the ledger that is charged or asked, or its path"),
    "progress": (
        "bool | Callable[[str, int, int], object]",
        "True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop",
    ),
    "threads": ("int", "at most so many; 0: all cores"),
    "passphrase": ("str | None", "of the key that signs, if it is encrypted"),
}


def hear(level: str, text: str) -> None:
    """Warnings through `warnings`, in the name of whoever called the package; what is only good to know through
    `logging`."""
    text = spelled(text)
    if level != "warning":
        _LOG.log(logging.INFO if level == "note" else logging.DEBUG, "%s", text)
        return
    level_up, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _FOLDER:
        frame, level_up = frame.f_back, level_up + 1
    warnings.warn(text, FoglineWarning, stacklevel=level_up)


def _request(kind: str, verb: str, given: dict[str, Any], memory: MemoryFiles | None) -> dict[str, Any]:
    """The fields as JSON has them. Frames become files in memory where the core reads files only."""
    fields = fields_of(kind, verb)
    request: dict[str, Any] = {}
    for argument, value in given.items():
        if argument not in fields:
            raise TypeError(f"{kind} {verb} has no argument {argument!r}".lstrip())
        field = fields[argument]
        if value is None:
            continue
        if isinstance(value, Network):
            for name, part in value.fields.items():
                request.setdefault(name, part)
        elif field.is_file:
            request[field.name] = _files_of(field, value, memory)
        else:
            request[field.name] = field.json(value)
    return request


def _files_of(field: Field, value: Any, memory: MemoryFiles | None) -> Any:
    """The path of a file; of many, a list, or a mapping of names and paths."""
    if "array" not in field.types:
        return _file_of(field, field.argument, value, memory)
    if isinstance(value, Mapping):
        return [
            f"{name}={_file_of(field, f'{field.argument}-{i}', one, memory)}"
            for i, (name, one) in enumerate(value.items())
        ]
    if isinstance(value, (list, tuple)):
        return [_file_of(field, f"{field.argument}-{i}", one, memory) for i, one in enumerate(value)]
    return [_file_of(field, field.argument, value, memory)]


def _are_names(value: Any) -> bool:
    """Several mechanisms, by their names or as files."""
    return isinstance(value, (list, tuple)) and all(isinstance(one, (str, os.PathLike)) for one in value)


def _file_of(field: Field, name: str, value: Any, memory: MemoryFiles | None) -> Any:
    if memory is not None and is_table(value):
        return memory.path_of(name, value)
    if isinstance(value, (str, os.PathLike, bytes, bool, int, float)) or _are_names(value):
        return field.json(value)
    if field.name == "network":
        raise invalid(
            field.name,
            f"is a {type(value).__name__}",
            allowed="the path of a file, a name such as city:1, or a Network",
            hint="roads of a graph are written with fogline.Network.from_graph(), for paths",
        )
    if memory is None:
        raise invalid(
            field.name,
            "must be a file",
            allowed="the path of a file, whose hash stands in the statement",
            hint="write it to a file first",
        )
    return memory.path_of(name, value)


def release(kind: str, verb: str, given: dict[str, Any]) -> Released:
    """A release, as the functions of kinds ask for it."""
    passphrase = passphrase_of(given)
    ledger, progress, threads = _extras(given)
    ledger = ledger_of(ledger)
    data, records = given.pop("input", None), None
    wrong: FoglineError | None = None
    restore: Callable[[dict[str, Any]], Any] = dict
    if data is None or is_path(data):
        given["input"] = data
    request = json.dumps(_request(kind, verb, given, None))
    if not (data is None or is_path(data)):
        if given.get("guarded"):
            # Whoever may not know the records learns nothing from the time they take, once they cannot be released.
            _core.ask(kind, verb, request, ledger._core, threads)
            records, restore = _guarded_records(data)
        else:
            try:
                records, restore = records_of(data)
            except FoglineError as error:  # the core is asked all the same, and the ledger told of a refusal
                records, wrong = _core.Records(), error
    with shown(progress) as show:
        try:
            made = _core.release(kind, verb, request, records, ledger._core, hear, show, threads, passphrase)
        except (DataError, InvalidOption) as error:
            if wrong is None or (isinstance(error, InvalidOption) and error.field != "input"):
                raise
            raise wrong from None
    output = given.get("output")
    return Released(kind, made, restore, os.path.abspath(output) if output not in (None, "-") else "")


def _guarded_records(data: Any) -> tuple[_core.Records, Callable[[dict[str, Any]], Any]]:
    """What is wrong with records is not told to whoever may not know them, and is paid for: the core gets none
    instead, and refuses that as it refuses all."""
    if is_table(data):
        raise invalid(
            "input",
            "of Parquet is read before it is paid for",
            allowed="with `guarded`, a file that the core reads, or a data frame",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return records_of(data)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # of which libraries written in other languages have their own
        return _core.Records(), dict


def analyse(kind: str, verb: str, given: dict[str, Any]) -> Findings:
    """An analysis, as the functions of kinds ask for it."""
    asked, progress, threads = _extras(given)
    fields = fields_of(kind, verb)
    if asked is not None and not isinstance(asked, Ledger):
        given["ledger"], asked = asked, None
    with MemoryFiles() as memory, shown(progress) as show:
        request = json.dumps(_request(kind, verb, given, memory))
        ledger = asked._core if asked is not None else None
        found = _core.analyse(kind, verb, request, ledger, hear, show, threads)
    is_private = any(
        fields[name].role == "private input" for name, value in given.items() if value is not None
    )
    return Findings(f"{kind} {verb}".strip(), found, is_private)


def passphrase_of(given: dict[str, Any]) -> str | None:
    passphrase = given.pop("passphrase", None)
    if passphrase is None or isinstance(passphrase, str):
        return passphrase
    raise invalid("passphrase", "must be a text")


def _extras(given: dict[str, Any]) -> tuple[Any, Any, int]:
    threads = given.pop("threads", 0)
    if isinstance(threads, bool) or not isinstance(threads, int) or not 0 <= threads <= 1024:
        raise invalid(
            "threads", "must be a whole number from 0 to 1024", allowed="a whole number from 0 to 1024"
        )
    return given.pop("ledger", None), given.pop("progress", False), threads


# Signatures


def signature_of(kind: str, verb: str, releases: bool) -> inspect.Signature:
    parameters = parameters_of(kind, verb)
    defaults = {"ledger": None, "progress": False, "threads": 0, "passphrase": None}
    for name, (annotation, _) in _EXTRA.items():
        if name == "ledger" and not releases and "ledger" not in fields_of(kind, verb):
            continue
        if name == "passphrase" and "sign" not in fields_of(kind, verb):
            continue
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=annotation
            )
        )
    return inspect.Signature(parameters, return_annotation="Released" if releases else "Findings")


def docstring_of(kind: str, verb: str, signature: inspect.Signature) -> str:
    asked = "release" if verb == "live" else verb
    fields = fields_of(kind, asked)
    said = (
        "Made-up {verb} data, to try things with." if kind == "sample" else _VERBS.get(verb, "{kind} {verb}")
    )
    lines = [said.format(of=_KINDS.get(kind, kind), kind=kind, verb=verb).strip(), ""]
    lines.append(f"As `fogline {kind} {asked}`; the fields are the same.".replace("  ", " "))
    lines += ["", "Arguments:"]
    for name in signature.parameters:
        said = (
            _EXTRA[name][1]
            if name in _EXTRA
            else fields[name].sentence().replace("; - for standard input", "")
        )
        lines.append(f"    {name}: {spelled(said)}")
    return "\n".join(lines)


def bound(
    name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """The arguments by their names, or Python's own error with the function's name and what was probably meant."""
    try:
        return dict(signature.bind(*args, **kwargs).arguments)
    except TypeError as error:
        unknown = next((given for given in kwargs if given not in signature.parameters), "")
        meant = difflib.get_close_matches(unknown, signature.parameters, 1)
        hint = f"; probably you mean {meant[0]!r}" if meant else ""
        raise TypeError(f"{name}(): {error}{hint}") from None


def function_of(kind: str, verb: str, releases: bool, module: str) -> Callable[..., Any]:
    run = release if releases else analyse
    signature = signature_of(kind, verb, releases)

    def asked(*args: Any, **kwargs: Any) -> Any:
        return run(kind, verb, bound(f"{module}.{verb}", signature, args, kwargs))

    asked.__name__ = asked.__qualname__ = verb
    asked.__module__ = module
    asked.__doc__ = docstring_of(kind, verb, signature)
    asked.__signature__ = signature  # type: ignore[attr-defined]
    asked.__annotations__ = {name: part.annotation for name, part in signature.parameters.items()}
    return asked


@cache
def verbs_of(kind: str) -> dict[str, bool]:
    """The verbs of a kind, and whether each releases."""
    return {verb: releases for of, verb, releases in _core.verbs() if of == kind}


def functions_of(kind: str, module: str) -> dict[str, Callable[..., Any]]:
    return {verb: function_of(kind, verb, releases, module) for verb, releases in verbs_of(kind).items()}
