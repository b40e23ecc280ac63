# SPDX-License-Identifier: Apache-2.0
"""What releases and analyses give back. Nothing that was read or drawn stands in a `repr`."""

from __future__ import annotations

import hashlib
import html
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from . import _core
from ._errors import FileError, InvalidOption, invalid, spelled
from ._frames import is_table, records_of, write_table


class Told(Mapping[str, Any]):
    """A JSON object that can be read like a dictionary."""

    text: str  #: the object as it was written

    @cached_property
    def _values(self) -> dict[str, Any]:
        return dict(json.loads(self.text))

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class Statement(Told):
    """What a release promises, to whom and how, as a mapping: docs/statement.md.

        safe.statement["guarantee"]
        fl.Statement.load("safe.csv.statement.json").verify(ledger="my.ledger")

    `text` is the file as it was written. In a notebook it shows what is promised in plain words.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.release: Released | None = None  #: of which it is, if that is at hand
        try:
            is_one = isinstance(self._values.get("kind"), str)
        except (ValueError, RecursionError):
            is_one = False
        if not is_one:
            raise InvalidOption("is no statement", code="invalid-option", field="statement")

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> Statement:
        """From a file."""
        try:
            return cls(Path(file).read_text(encoding="utf-8"))
        except OSError as error:
            raise FileError(error.strerror or "cannot be read", code="file", file=os.fspath(file)) from None
        except UnicodeDecodeError:
            raise InvalidOption("is no statement", code="invalid-option", field="statement") from None

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes it into a file that is not there yet."""
        _write_text(file, self.text)

    def verify(self, **fields: Any) -> Findings:
        """fogline.verify() of this statement."""
        from ._verbs import analyse

        return analyse("", "verify", {"release": self, **fields})

    def registry(self, **said: str) -> dict[str, Any]:
        """An entry for a public registry of deployments of differential privacy. What a statement cannot know may
        be said: title, curator, use, region, contact."""
        return dict(json.loads(_core.registry_entry(self.text, _publication(**said))))

    def notice(self, **said: str) -> str:
        """The same in plain language, for the people whom the data are about: one page of HTML."""
        return _core.notice(self.text, _publication(**said))

    def __repr__(self) -> str:
        return f"<Statement of a {self['kind']} release>"

    def _repr_html_(self) -> str:
        """What a report of the release begins with, in words; its fields below."""
        rows = (
            f"<tr><th>{html.escape(str(name))}</th><td>{_cell(value)}</td></tr>"
            for name, value in self.items()
            if not isinstance(value, list)
        )
        words = _core.notice_body(self.text, _publication())
        claimed = "<p>As the statement has it; <code>.verify()</code> checks it.</p>"
        return f"{claimed}{words}<details><summary>The statement</summary><table>{''.join(rows)}</table></details>"


def _publication(
    title: str = "", curator: str = "", use: str = "", region: str = "", contact: str = ""
) -> tuple[str, str, str, str, str]:
    return title, curator, use, region, contact


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return "<br>".join(
            f"{html.escape(str(name))}: {html.escape(str(part))}" for name, part in value.items()
        )
    return html.escape(str(value))


class Released:
    """A release that was made and charged.

    `statement` says what is promised, `guarantee` in one line; `records` were released, as `entry` of the ledger.
    `told` is what the kind has to say besides, such as the expected error, and `more` what was released besides, such
    as the counts that trips are made of."""

    def __init__(self, kind: str, made: _core.Released, restore: Any, file: str = "") -> None:
        self._made, self._restore = made, restore
        self.kind = kind
        self.file = file  #: where it is, if it went to a file
        self.statement = Statement(made.statement)
        self.statement.release = self
        self.statement_file: str = made.statement_file
        self.guarantee: str = spelled(made.guarantee)
        self.records: int = made.records
        self.entry: int = made.entry
        self.told: dict[str, Any] = json.loads(made.told)
        self.more: dict[str, str] = made.more

    @property
    def text(self) -> str:
        """What was released, as it is written into files."""
        return self._made.text

    @cached_property
    def columns(self) -> dict[str, Any]:
        """What was released, as NumPy arrays and lists of texts."""
        return self._made.columns()

    @cached_property
    def data(self) -> Any:
        """What was released, as the type that was handed over; None if it went to a file."""
        if not self._made.begins:
            return None
        if self._made.begins == "{":
            return json.loads(self.text)
        return self._restore(self.columns)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes what was released into a file that is not there yet, with its statement beside it:
        fogline.verify(file). A name that ends in .parquet makes it Parquet, or GeoParquet if `data` has points;
        the statement has the hash of the text, which is made again of such a file."""
        self.require_text()
        beside = {os.fspath(file) + ".statement.json": self.statement.text}
        folder = os.path.dirname(os.fspath(file))
        beside |= {os.path.join(folder, os.path.basename(name)): text for name, text in self.more.items()}
        for name in (file, *beside):
            _require_free(name)
        if is_table(file):
            if text_of(records_of(self.data)[0], self.statement) != self.text.encode():
                raise invalid(
                    "file",
                    "would not hold what the statement has the hash of, to the last digit",
                    hint="save it as .csv, or write `data` by yourself",
                )
            _write_whole(file, lambda path: write_table(self.data, path))
        else:
            self._require_own_name(os.fspath(file))
            _write_text(file, self.text)
        for name, text in beside.items():
            _write_text(name, text)

    def require_text(self) -> None:
        """Throws where the release is not at hand: it is in a file, or was answered step by step."""
        if self.text:
            return
        raise invalid(
            "release",
            "is in a file" if self.file else "was answered step by step, and is not at hand",
            hint=f"it is {self.file}" if self.file else "verify what was kept of it with its statement",
        )

    def _require_own_name(self, file: str) -> None:
        """What is written is CSV, or JSON, whatever its name is: another ending would be a lie."""
        suffix = ".json" if self.text.startswith("{") else ".csv"
        if os.path.splitext(file)[1].lower() not in ("", suffix):
            raise invalid(
                "file", "has the name of another format", allowed=f"a name that ends in {suffix}, or .parquet"
            )

    def __repr__(self) -> str:
        return f"<Released {self.kind}: {self.records:,} records, entry {self.entry}: {self.guarantee}>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self)[1:-1])}</p>{self.statement._repr_html_()}"


# Behind the point of degrees, as releases write them: positions, trips; -1: as few as tell the number.
_DIGITS_OF_DEGREES = (7, 6, -1)


def text_of(records: _core.Records, statement: Statement) -> bytes:
    """Released columns as the text that the statement has the hash of, if they can be written so."""
    wanted = statement["outputs"][0]["sha256"] if statement.get("outputs") else ""
    for digits in _DIGITS_OF_DEGREES:
        text = records.csv(digits)
        if hashlib.sha256(text).hexdigest() == wanted:
            break
    return text


def _require_free(file: str | os.PathLike[str]) -> None:
    if os.path.lexists(file):
        raise FileError("is there already", code="file", file=os.fspath(file))


def _write_whole(file: str | os.PathLike[str], write: Callable[[str], object]) -> None:
    """A file that is not there yet appears complete or not at all."""
    path = os.fspath(file)
    _require_free(path)
    folder, name = os.path.split(path)
    try:
        with tempfile.TemporaryDirectory(dir=folder or ".", prefix=".fogline-") as beside:
            write(os.path.join(beside, name))
            os.link(os.path.join(beside, name), path)  # which replaces nothing
    except OSError as error:
        raise FileError(error.strerror or "cannot be written", code="file", file=path) from None


def _write_text(file: str | os.PathLike[str], text: str) -> None:
    _write_whole(file, lambda path: Path(path).write_text(text, encoding="utf-8", newline=""))


class Findings(Told):
    """What an analysis found: values by name, as `--json` prints them, and as text for people.

        plan = fl.place.plan(network="city:1", epsilon="1/100")
        print(plan)
        plan["q_loss_m"]

    `passed`: what was checked holds. `is_shown`: False if nothing speaks against it, and nothing shows it either.
    """

    def __init__(self, title: str, found: _core.Findings, is_private: bool) -> None:
        self.text = found.json
        self.title, self.is_private = title, is_private
        self.passed: bool = found.passed  #: what was checked holds
        self.is_shown: bool = found.is_shown  #: False: nothing speaks against it, and nothing shows it either
        self._pieces = found.pieces

    def __str__(self) -> str:
        return "\n".join(spelled(line) for piece in self._pieces for line in _lines(piece))

    def __repr__(self) -> str:
        outcome = "holds" if self.passed else "does not hold"
        return f"<Findings of {self.title}: {outcome}; print() shows them>"

    def _repr_html_(self) -> str | None:
        return None if self.is_private else f"<pre>{html.escape(str(self))}</pre>"


class Figure(Told):
    """A figure of a paper, computed anew: numbers, rows, the paper's claim and our result.

        figure = fl.reproduce("place-fig4", quick=True)
        figure.confirmed, figure["claim"]

    `csv` are its rows, `svg` its plots, `page` all of it as one HTML file. `confirmed`: our numbers say what the
    paper says.
    """

    def __init__(self, text: str, csv: str, svg: str, page: str, confirmed: bool) -> None:
        self.text = text
        self.csv = csv  #: its rows
        self.svg = svg  #: its plots
        self.page = page  #: all of it as one HTML file; empty if the library was built without its page
        self.confirmed = confirmed  #: our numbers say what the paper says

    def __repr__(self) -> str:
        outcome = "confirmed" if self.confirmed else "not confirmed"
        return f"<Figure: {outcome}; show it in a notebook, or write .svg into a file>"

    def _repr_svg_(self) -> str:
        return self.svg


def _lines(piece: Any) -> Iterator[str]:
    sort, *parts = piece
    if sort == "sentence":
        yield from parts[0].splitlines() or [""]
    elif sort == "rows":
        width = max((len(name) for name, _ in parts[0]), default=0) + 2
        yield from (f"{name:{width}}{value}" for name, value in parts[0])
    else:
        columns, rows = parts
        heading = [[title for title, _, _ in columns]] if any(title for title, _, _ in columns) else []
        for row in heading + rows:
            yield "".join(_aligned(cell, *column[1:]) for cell, column in zip(row, columns)).rstrip()


def _aligned(cell: str, width: int, is_right: bool) -> str:
    return f"{cell:>{width}}" if is_right else f"{cell:<{width}}"
