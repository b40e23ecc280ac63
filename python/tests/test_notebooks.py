# SPDX-License-Identifier: Apache-2.0
"""The notebooks run from the first cell to the last, each in an empty folder."""

import pathlib

import nbclient
import nbformat
import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).parent / "notebooks").glob("*.ipynb"))
LONGEST_CELL_S = 300


def test_they_are_here():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_it_runs(notebook, tmp_path):
    book = nbformat.read(notebook, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "outputs are not kept: clear them"
    nbclient.NotebookClient(
        book, timeout=LONGEST_CELL_S, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
