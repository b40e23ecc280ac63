# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pathlib
import signal
import subprocess
import sys

import numpy as np
import pytest

import fogline as fl

MAP = "lattice:9x9:800"
DATASETS = ("riders", "roads", "route", "walk", "trips")


@pytest.fixture(autouse=True)
def hears_interrupts():
    """What a shell runs in the background ignores Ctrl-C, with all that it starts, unless it asks for it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def ledger(tmp_path):
    made = fl.Ledger(tmp_path / "my.ledger")
    for dataset in DATASETS:
        made.add(dataset, cap=["epsilon 1000", "epsilon 1000 per metre"])
    made.add("tries", uncapped=True)  # for what is seeded, and promises nothing
    return made


@pytest.fixture
def columns():
    return {"lon": np.array([0.001, 0.0031, -0.0021]), "lat": np.array([0.0009, -0.0009, 0.0021])}


@pytest.fixture
def house(tmp_path):
    """A model of a walk between two rooms."""
    file = tmp_path / "house.csv"
    file.write_text("from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n")
    return file


@pytest.fixture
def place(ledger):
    """Releases positions on a small map, with these fields besides."""

    def release(data, **fields):
        dataset = "tries" if "seed" in fields else "riders"
        fields = {"network": MAP, "epsilon": "1/50", "ledger": ledger, "dataset": dataset, **fields}
        return fl.place.release(data, **fields)

    return release


def program() -> str:
    """The program that came with the package."""
    return str(pathlib.Path(sys.executable).parent / "fogline")


def run(*words: object) -> str:
    done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr  # 4: nobody signed
    return done.stdout


def charges(ledger: fl.Ledger) -> int:
    return sum(entry.event == "charge" for entry in ledger.entries)
