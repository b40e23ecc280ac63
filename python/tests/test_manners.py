# SPDX-License-Identifier: Apache-2.0
"""Signals, progress, warnings, forks, pickles, locks, and what is shown."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from fractions import Fraction

import numpy as np
import pytest
from conftest import MAP, charges

import fogline as fl

LONG = {"network": "city:1", "epsilon": "1/100", "mechanism": "optimal"}  # some minutes


def test_an_interrupt_ends_a_call_and_leaves_the_ledger_true(ledger):
    """At other moments of the work, all before the charge, so that nothing is spent, then or later. It is heard
    whether the library looks or not."""
    for wait in (0.05, 0.4, 1.5):
        sent = []

        def send(sent=sent):
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        threading.Timer(wait, send).start()
        with pytest.raises(KeyboardInterrupt):
            fl.place.release({"lon": [-30.001], "lat": [45.002]}, **LONG, ledger=ledger, dataset="riders")
        heard = time.monotonic() - sent[0]
        assert heard < 5, heard  # a quarter of a second where nobody else is at work: docs/results/python.md
    fl._core.await_left()
    assert charges(ledger) == 0 and ledger.verify().passed


@pytest.mark.parametrize("wait", [0.02, 0.1, 0.3, 0.6, 1.0])
def test_an_interrupt_of_a_large_release_charges_it_or_not(ledger, wait):
    """Whatever the moment: what is charged has an entry, and nothing is charged after the call."""
    many = {"lon": np.full(400_000, 0.001), "lat": np.full(400_000, 0.0009)}
    threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            safe = fl.place.release(many, network=MAP, epsilon="1/50", ledger=ledger, dataset="riders")
        assert safe.records == 400_000
        with pytest.raises(KeyboardInterrupt):  # it was quicker
            time.sleep(5)
    except KeyboardInterrupt:
        pass
    before = charges(ledger)
    fl._core.await_left()
    assert charges(ledger) == before <= 1 and ledger.verify().passed


def test_a_process_ends_after_a_call_that_was_left_alone(ledger):
    code = f"""
import os, signal, threading
import fogline as fl
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    fl.place.release({{"lon": [-30.001], "lat": [45.002]}}, **{LONG!r}, ledger={ledger.path!r}, dataset="riders")
except KeyboardInterrupt:
    print("heard")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "heard\n" and done.returncode == 0, done.stderr
    assert charges(ledger) == 0 and fl.Ledger(ledger.path).verify().passed


def test_progress_is_shown_and_may_raise(ledger, columns):
    seen = []

    def show(task, done, total):
        assert threading.current_thread() is threading.main_thread()
        seen.append((task, done, total))
        if len(seen) == 3:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        fl.place.release(columns, **LONG, ledger=ledger, dataset="riders", progress=show)
    assert len(seen) == 3 and all(isinstance(task, str) for task, _, _ in seen)
    assert charges(ledger) == 0


def test_warnings_go_through_warnings_in_the_caller_s_name(place, columns):
    with pytest.warns(fl.FoglineWarning, match="(?i)seed") as caught:
        fl.place.release(columns, network=MAP, epsilon="1/50", seed=7, ledger=fl.Ledger("seeded.ledger"))
    assert caught[0].filename == __file__


def test_a_warning_that_is_an_error_ends_the_call(place, columns, ledger):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(fl.FoglineWarning):
            place(columns, seed=7)
    assert ledger.verify().passed


def test_other_threads_run_meanwhile(ledger):
    """The interpreter's lock is free during a long call."""
    turns, is_over = [0], threading.Event()

    def count():
        while not is_over.is_set():
            turns[0] += 1
            time.sleep(0.001)

    counting = threading.Thread(target=count)
    counting.start()
    begin = time.monotonic()
    fl.place.plan(network="lattice:20x20:9000", epsilon="1/100", mechanism="tight")
    seconds = time.monotonic() - begin
    is_over.set()
    counting.join()
    assert turns[0] > 100 * seconds


def test_one_ledger_serves_several_threads(place, columns, ledger):
    threads = [threading.Thread(target=lambda: [place(columns) for _ in range(5)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert charges(ledger) == 20
    assert float(ledger.spent("riders", "per_metre")) == pytest.approx(0.4)


def test_a_child_cannot_use_its_parent_s_ledger(ledger):
    child = os.fork()
    if child == 0:
        codes = 0
        for use in (
            lambda: ledger.entries,
            lambda: ledger.spent("riders"),
            lambda: ledger.path,
            lambda: fl.place.release(
                {"lon": [0.001], "lat": [0.0009]}, network=MAP, epsilon="1/50", ledger=ledger
            ),
        ):
            try:
                use()
                codes = 1
            except fl.Forked:
                pass
        os._exit(codes)
    assert os.waitpid(child, 0)[1] == 0
    assert ledger.verify().passed and charges(ledger) == 0


def test_ledgers_are_not_pickled_and_mechanisms_are(ledger, columns):
    with pytest.raises(TypeError, match="path"):
        pickle.dumps(ledger)
    made = fl.place.Mechanism.prepare("lattice.kernel", network=MAP, epsilon="1/50")
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert fl.place.release(columns, kernel=again, ledger=ledger, dataset="riders").records == 3


def test_errors_are_pickled(place):
    with pytest.raises(fl.InvalidOption) as caught:
        place({"lon": [0.001], "lat": [0.0009]}, epsilon="0")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.field, again.allowed, str(again)) == (
        caught.value.code,
        caught.value.field,
        caught.value.allowed,
        str(caught.value),
    )


def test_nothing_shown_tells_a_position(place, columns):
    columns = {name: values + 0.00012345 for name, values in columns.items()}
    safe = place(columns)
    for shown in (safe, safe.statement, fl.Ledger("x.ledger")):
        text = repr(shown) + (shown._repr_html_() if hasattr(shown, "_repr_html_") else "")
        for value in [*columns["lon"], *columns["lat"], *safe.columns["lon"], *safe.columns["lat"]]:
            # What is released may lie on the origin, and "0.0" is a part of many numbers.
            assert len(f"{value}") < 6 or f"{value}" not in text


def test_a_guarded_release_tells_nothing_and_is_paid_for(place, ledger):
    with pytest.raises(fl.FoglineError) as caught:
        place({"lon": [0.001], "lat": ["x"]}, guarded=True)
    assert "lat" not in str(caught.value)
    assert ledger.spent("riders", "per_metre") > 0


@pytest.mark.filterwarnings("ignore::fogline.FoglineWarning")
def test_guarded_refusals_are_alike_whoever_finds_what_is_wrong(place, ledger):
    """Whether Python or the core would refuse the records: one sentence, one price, and with a spent budget none."""
    ledger.add("guarded", cap="epsilon 3/50 per metre")
    wrong = (
        {"lon": [0.001], "lat": ["x"]},
        {"lon": [0.001], "lat": [object()]},
        {"lon": [[1, 2]], "lat": [0.1]},
    )
    said = set()
    for paid, records in enumerate(wrong, 1):
        with pytest.raises(fl.DataError) as caught:
            place(records, guarded=True, dataset="guarded")
        said.add(str(caught.value))
        assert ledger.spent("guarded", "per_metre") == Fraction(paid, 50)
    assert len(said) == 1
    for records in (*wrong, {"lon": [0.001], "lat": [0.0009]}):
        with pytest.raises(fl.BudgetError):
            place(records, guarded=True, dataset="guarded")
    with pytest.raises(fl.InvalidOption, match="before it is paid for"):
        place("riders.parquet", guarded=True)


def test_nothing_is_printed(place, columns, capfd):
    place(columns)
    assert capfd.readouterr() == ("", "")


def test_the_process_ends_with_a_stream_left_open(house, ledger):
    code = f"""
import fogline as fl
asked = {{"model": {str(house)!r}, "policy": "complete", "epsilon": 1, "anyway": True, "dataset": "walk"}}
stream = fl.stream.live(**asked, ledger={ledger.path!r})
print(stream.step("hall")["step"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "1\n" and done.returncode == 0, done.stderr
    assert fl.Ledger(ledger.path).verify().passed
    assert np.isfinite(charges(ledger))
