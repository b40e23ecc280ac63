# SPDX-License-Identifier: Apache-2.0
"""What was tried to break it with, from Python."""

import io
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import MAP, charges, run

import fogline as fl

pa = pytest.importorskip("pyarrow")
pytestmark = pytest.mark.filterwarnings("ignore::fogline.FoglineWarning")
ONE = {"lon": [0.001], "lat": [0.0009]}


def test_a_wait_for_the_ledger_is_interrupted_and_never_charged(place, ledger):
    # Another process: within one, locks keep nobody out, and a repaired wheel has an SQLite of its own.
    code = f"""
import sqlite3, sys
other = sqlite3.connect({ledger.path!r}, isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
other.execute("ROLLBACK")
"""
    other = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout.readline() == "locked\n"
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        place(ONE)
    assert time.monotonic() - begin < 5
    other.communicate("")
    fl._core.await_left()
    time.sleep(0.2)
    assert charges(ledger) == 0 and ledger.verify().passed


@pytest.mark.parametrize("call", ["plan", "live"])
def test_a_process_ends_while_daemon_threads_are_in_calls(ledger, call):
    code = f"""
import threading, time
import fogline as fl
def plan():
    while True:
        fl.place.plan(network="lattice:30x30:100", epsilon="1/100", mechanism="gem")
def live():
    asked = dict(network={MAP!r}, epsilon="1/1000", dataset="riders", statement="safe.jsonl")
    with fl.place.live(**asked, ledger={ledger.path!r}) as positions:
        while True:
            positions.step({{"lon": 0.001, "lat": 0.0009}})
for _ in range(2 if {call!r} == "plan" else 1):
    threading.Thread(target={call}, daemon=True).start()
time.sleep(1)
"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
    assert fl.Ledger(ledger.path).verify().passed


def test_a_child_that_comes_back_from_a_callback_is_told(ledger):
    code = """
import os
import fogline as fl
def fork(*_):
    global child
    if child is None:
        child = os.fork()
child = None
try:
    fl.place.plan(network="city:1", epsilon="1/100", mechanism="tight", progress=fork)
    assert child != 0
except fl.Forked:
    os._exit(0 if child == 0 else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


class Moved:
    """Gives one capsule, again and again."""

    def __init__(self):
        self._capsule = pa.table(ONE).__arrow_c_stream__()

    def __arrow_c_stream__(self, requested_schema=None):
        return self._capsule


def test_a_stream_of_arrow_is_read_once(place):
    moved = Moved()
    assert pa.table(moved).num_rows == 1
    with pytest.raises(fl.InvalidOption, match="read before"):
        place(moved)
    moved = Moved()
    assert place(moved).records == 1
    with pytest.raises(fl.InvalidOption, match="read before"):
        place(moved)


def test_texts_that_lie_nowhere_are_refused(place):
    names = pa.StringArray.from_buffers(
        2, pa.py_buffer(np.array([0, 4, 1], np.int32).tobytes()), pa.py_buffer(b"abcd")
    )
    with pytest.raises(fl.InvalidOption, match="lie nowhere"):
        place(pa.table({"lon": [0.001, 0.001], "lat": [0.0009, 0.0009], "name": names}))


def test_errors_of_readers_are_not_passed_on(place, ledger):
    """They quote the value that they stumbled over."""
    csv = pytest.importorskip("pyarrow.csv")
    pl = pytest.importorskip("polars")
    text = b"lon,lat\n" + b"0.0,0.0\n" * 200_000 + b"4.3517_SECRET,50.1\n"
    lazy = pl.LazyFrame({"lon": ["4.35SECRET"], "lat": [50.1]}).with_columns(pl.col("lon").cast(pl.Float64))
    for data in (csv.open_csv(io.BytesIO(text)), lazy):
        with pytest.raises(fl.FoglineError) as caught:
            place(data)
        chain, error = "", caught.value
        while error is not None:
            chain, error = chain + str(error), None if error.__suppress_context__ else error.__context__
        assert "SECRET" not in chain
    assert charges(ledger) == 0


def test_what_is_masked_is_missing(ledger):
    for values in ([1, 2, 3, 4], ["a", "b", "c", "d"]):
        masked = np.ma.array(values, mask=[0, 0, 1, 1])
        assert repr(masked)  # gives it a value for what is missing
        records = fl._frames.records_of({"source": [0, 1, 2, 3], "weight": masked})[0]
        assert records.csv().decode().splitlines()[3:] == ["2,", "3,"]


def test_a_guarded_frame_is_not_read_once_the_budget_is_spent(place, ledger):
    ledger.add("spent", cap="epsilon 1/50 per metre")
    place(ONE, guarded=True, dataset="spent")

    class Untouched:
        def __arrow_c_stream__(self, requested_schema=None):
            raise AssertionError("was read")

    with pytest.raises(fl.BudgetError):
        place(Untouched(), guarded=True, dataset="spent")
    before = charges(ledger)

    class Panics(BaseException):
        pass

    class Frame:
        def __arrow_c_stream__(self, requested_schema=None):
            raise Panics("SECRET")

    with pytest.raises(fl.DataError) as caught:
        place(Frame(), guarded=True)
    assert "SECRET" not in str(caught.value) and charges(ledger) == before + 1


def test_what_python_refuses_is_in_the_ledger_too(place, ledger):
    wrong = {"lon": [object()], "lat": [0.1]}
    with pytest.raises(fl.InvalidOption, match='column "lon"'):
        place(wrong)
    assert [entry.event for entry in ledger.entries].count("refused") == 1
    with pytest.raises(fl.BudgetError):
        place(wrong, dataset="nobody")
    assert run("ledger", "verify", "--ledger", ledger.path)


def test_the_first_record_of_a_live_release_may_be_wrong(ledger):
    asked = {
        "network": MAP,
        "epsilon": "1/50",
        "ledger": ledger,
        "dataset": "riders",
        "statement": "safe.jsonl",
    }
    with pytest.raises(fl.DataError), fl.place.live(**asked) as positions:
        positions.step({"lon": "\ud800", "lat": 0})
    with fl.place.live(**asked) as positions:
        assert positions.step({"lon": 0, "lat": 0}).keys() >= {"lon", "lat"}
