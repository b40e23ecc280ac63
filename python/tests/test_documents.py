# SPDX-License-Identifier: Apache-2.0
"""The pages of the documents run as they stand, each from its first line to its last in an empty folder."""

import pathlib
import re
import warnings

import pytest

HERE = pathlib.Path(__file__).parent
PAGES = sorted(page for page in (HERE / "documents").glob("*.md") if page.stem != "reference")


def test_there_is_one_for_each_kind():
    assert {page.stem for page in PAGES} >= {"place", "stream", "path", "weights", "traces"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_it_runs(page):
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is seeded or promises little
        exec(compile("\n".join(blocks), str(page), "exec"), {"__name__": "__main__"})
