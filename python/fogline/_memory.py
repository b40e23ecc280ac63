# SPDX-License-Identifier: Apache-2.0
"""Frames for analyses, which read files: as files that lie in memory alone and are gone afterwards."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from ._errors import FileError
from ._frames import is_table, records_of
from ._results import Released, Statement, text_of


class MemoryFiles:
    """A folder of links to files in memory: what is private is never on a disk."""

    def __init__(self) -> None:
        self._folder = ""
        self._open: list[int] = []

    def __enter__(self) -> MemoryFiles:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._folder:
            shutil.rmtree(self._folder)
        for descriptor in self._open:
            os.close(descriptor)

    def path_of(self, name: str, value: Any) -> str:
        """The path under which the core reads it. Of a release its statement and what else it released lie beside
        it, as they do in a folder."""
        if isinstance(value, Statement):
            if value.release is None:
                return self._write(name + ".statement.json", value.text.encode())
            value = value.release
        if isinstance(value, Released):
            return value.file or self._path_of_release(name, value)
        records, _ = records_of(value)
        statement = Path(os.fsdecode(value) + ".statement.json") if is_table(value) else None
        if statement is None or not statement.exists():
            return self._write(name + ".csv", records.csv())
        told = Statement(statement.read_text(encoding="utf-8"))
        path = self._write(name + ".csv", text_of(records, told))
        self._write(name + ".csv.statement.json", told.text.encode())
        for output in told["outputs"][1:]:
            # Beside it, and nowhere else: nobody has checked yet what the statement says.
            more = Path(os.fsdecode(value)).parent / os.path.basename(str(output["name"]))
            if more.is_file():
                self._write(more.name, more.read_bytes())
        return path

    def _path_of_release(self, name: str, release: Released) -> str:
        release.require_text()
        name = f"{name}/{'release.json' if release.text.startswith('{') else 'release.csv'}"
        path = self._write(name, release.text.encode())
        self._write(name + ".statement.json", release.statement.text.encode())
        for more, text in release.more.items():
            self._write(os.path.join(os.path.dirname(name), os.path.basename(more)), text.encode())
        return path

    def _write(self, name: str, content: bytes) -> str:
        descriptor = os.memfd_create(name, os.MFD_CLOEXEC)
        self._open.append(descriptor)
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(content)
        self._folder = self._folder or tempfile.mkdtemp(prefix="fogline-")
        path = os.path.join(self._folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(f"/proc/{os.getpid()}/fd/{descriptor}", path)
        if not os.path.exists(path):
            raise FileError(
                "is not mounted, and files in memory are read through it",
                code="file",
                file="/proc",
                to_try="hand over the path of a file",
            )
        return path
