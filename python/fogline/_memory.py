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
from ._results import Released, Statement


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
        """The path under which the core reads it. Of a release its statement lies beside it, as it does in a folder."""
        if isinstance(value, Released):
            suffix = ".json" if value.text.startswith("{") else ".csv"
            path = self._write(name + suffix, value.text.encode())
            self._write(name + suffix + ".statement.json", value.statement.text.encode())
            return path
        if isinstance(value, Statement):
            return self._write(name + ".statement.json", value.text.encode())
        records, _ = records_of(value)
        path = self._write(name + ".csv", records.csv())
        statement = os.fsdecode(value) + ".statement.json" if is_table(value) else ""
        if statement and os.path.exists(statement):
            self._write(name + ".csv.statement.json", Path(statement).read_bytes())
        return path

    def _write(self, name: str, content: bytes) -> str:
        descriptor = os.memfd_create(name, os.MFD_CLOEXEC)
        self._open.append(descriptor)
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(content)
        self._folder = self._folder or tempfile.mkdtemp(prefix="fogline-")
        path = os.path.join(self._folder, name)
        os.symlink(f"/proc/{os.getpid()}/fd/{descriptor}", path)
        if not os.path.exists(path):
            raise FileError(
                "is not mounted, and files in memory are read through it",
                code="file",
                file="/proc",
                to_try="hand over the path of a file",
            )
        return path
