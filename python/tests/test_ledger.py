# SPDX-License-Identifier: Apache-2.0
from fractions import Fraction

import pytest
from conftest import run

import fogline as fl


def test_a_ledger_keeps_to_its_caps(columns):
    ledger = fl.Ledger("small.ledger")
    ledger.add("riders", cap="epsilon 0.03 per metre")
    asked = {"network": "lattice:9x9:800", "epsilon": "1/50", "ledger": ledger, "dataset": "riders"}
    fl.place.release(columns, **asked)
    assert ledger.spent("riders", "per_metre") == Fraction(1, 50)
    assert ledger.remaining("riders", "per_metre") == Fraction(1, 100)
    with pytest.raises(fl.BudgetError) as caught:
        fl.place.release(columns, **asked)
    assert caught.value.code == "over-budget"
    ledger.set_cap("riders", "1/10", "per_metre")
    assert ledger.cap("riders", "per_metre") == Fraction(1, 10)
    fl.place.release(columns, **asked)
    events = [entry.event for entry in ledger.entries]
    assert events.count("charge") == 2 and events.count("settled") == 2
    assert ledger.entries[-1].hash == ledger.head


def test_what_a_service_answers_from_is_not_released_from(columns):
    ledger = fl.Ledger("service.ledger")
    ledger.add("app", cap="epsilon 0.1 per metre per subject in 24 h")
    with pytest.raises(fl.BudgetError) as caught:
        fl.place.release(columns, network="lattice:9x9:800", epsilon="1/50", ledger=ledger, dataset="app")
    assert caught.value.code == "of-subjects"


def test_it_is_the_ledger_of_the_command_line(columns):
    run(
        "ledger", "add", "--ledger", "cli.ledger", "--dataset", "riders", "--cap", "epsilon 1 per metre", "-q"
    )
    fl.place.release(
        columns, network="lattice:9x9:800", epsilon="1/50", ledger="cli.ledger", dataset="riders"
    )
    assert "0.02" in run("ledger", "show", "--ledger", "cli.ledger")
    assert run("ledger", "verify", "--ledger", "cli.ledger")
    assert fl.Ledger("cli.ledger").verify().passed


def test_the_usual_ledger_is_that_of_the_command_line(columns, tmp_path):
    run("ledger", "add", "--dataset", "riders", "--uncapped", "-q")
    assert "riders" in fl.Ledger().datasets
    assert fl.Ledger().path.startswith(str(tmp_path))


@pytest.mark.parametrize(
    "call",
    [
        lambda ledger: ledger.add("x"),
        lambda ledger: ledger.add("x", cap="2"),
        lambda ledger: ledger.add("x", cap="epsilon 1", uncapped=True),
        lambda ledger: ledger.add("riders", cap="epsilon 1"),
        lambda ledger: ledger.add("Riders", cap="epsilon 1"),
        lambda ledger: ledger.set_cap("riders", 0.5),
        lambda ledger: ledger.set_cap("riders", "x"),
        lambda ledger: ledger.budget("riders", "metre"),
        lambda ledger: fl.Ledger(""),
        lambda ledger: fl.Ledger(7),
    ],
)
def test_wrong_calls_are_refused(ledger, call):
    before = ledger.head
    with pytest.raises(fl.InvalidOption):
        call(ledger)
    assert ledger.head == before


def test_an_altered_ledger_is_found(ledger, columns, place):
    import sqlite3

    place(columns)
    with sqlite3.connect(ledger.path) as file:
        for (trigger,) in file.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            file.execute(f"drop trigger {trigger}")
        file.execute("delete from entries where rowid = (select max(rowid) - 1 from entries)")
    assert not fl.Ledger(ledger.path).verify().passed
