# SPDX-License-Identifier: Apache-2.0
"""Signatures are the tables of fields, as the program has them."""

import inspect
import json
import os
import subprocess
import sys

import pytest
from conftest import run

import fogline as fl
from fogline import _core

KINDS = ("place", "stream", "path", "weights", "traces", "sample")
VERBS = [(kind, verb) for kind, verb, _ in _core.verbs() if kind in KINDS]


@pytest.mark.parametrize("kind, verb", VERBS)
def test_every_field_is_an_argument_with_its_default(kind, verb):
    told = json.loads(run("schema", kind, verb))["properties"]
    parameters = inspect.signature(getattr(getattr(fl, kind), verb)).parameters
    named = {name.rstrip("_") for name in parameters}
    assert {name.replace("-", "_") for name in told} <= named
    assert named - {name.replace("-", "_") for name in told} <= {
        "ledger",
        "progress",
        "threads",
        "passphrase",
    }
    for name, field in told.items():
        if name == "ledger":
            continue
        parameter = next(one for one in parameters.values() if one.name.rstrip("_") == name.replace("-", "_"))
        assert parameter.default == field.get("default"), name
        is_free = parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert is_free == field.get("x-positional", False), name


@pytest.mark.parametrize("kind, verb", VERBS)
def test_docstrings_tell_every_field_its_choices_and_unit(kind, verb):
    doc = getattr(getattr(fl, kind), verb).__doc__
    for name, field in json.loads(run("schema", kind, verb))["properties"].items():
        line = next(
            line for line in doc.splitlines() if line.strip().rstrip("_").startswith(name.replace("-", "_"))
        )
        for choice in field.get("enum", []):
            assert choice in line
        assert field.get("x-unit", "") in line


def test_verbs_are_those_of_the_program():
    said = {tuple(line.split()) for line in run("schema").splitlines()}
    assert {words for words in said if words[0] in KINDS} == set(VERBS)


def test_version_is_that_of_the_program():
    assert fl.__version__ in run("--version")


def test_import_is_quick_and_takes_no_data_frame_library():
    code = (
        "import sys, time; t = time.process_time(); import fogline; print(time.process_time() - t); "
        "print([m for m in ('pandas', 'geopandas', 'pyarrow', 'polars', 'networkx', 'scipy') if m in sys.modules])"
    )
    seconds = []
    for _ in range(3):
        said = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
        )
        lines = said.stdout.splitlines()
        assert lines[1] == "[]"
        seconds.append(float(lines[0]))
    assert min(seconds) < 0.3
