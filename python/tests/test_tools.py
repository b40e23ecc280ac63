# SPDX-License-Identifier: Apache-2.0
"""What is of no kind: claims, figures, samples, keys, notices, parts of networks."""

import json
import pathlib

import pytest
from conftest import MAP, run

import fogline as fl


def test_claims_are_those_of_the_program():
    assert fl.claims() == json.loads(run("claims", "--json"))


def test_a_figure_is_that_of_the_program():
    name = "weights-fig2"
    assert {name, "traces-fig2"} <= fl.figures().keys()
    steps = []
    figure = fl.reproduce(name, quick=True, progress=lambda *step: steps.append(step))
    told = json.loads(run("reproduce", name, "--quick", "--json", "-o", "figures"))
    told.pop("files")  # that the program wrote
    assert dict(figure) == told
    assert figure.svg.startswith("<svg") and figure._repr_svg_() == figure.svg
    assert figure.csv == next(pathlib.Path("figures").glob("*.csv")).read_text()
    assert steps
    with pytest.raises(fl.InvalidOption):
        fl.reproduce("place-fig99")


@pytest.mark.parametrize(
    "verb, fields",
    [
        ("place", {"network": MAP, "count": 7}),
        ("stream", {}),
        ("traces", {"people": 3}),
        ("weights", {"vertices": 30, "edges_per_vertex": 3, "range": "1:40"}),
    ],
)
def test_samples_are_those_of_the_program(verb, fields):
    getattr(fl.sample, verb)(output="ours.csv", **fields)
    words = [word for name, value in fields.items() for word in ("--" + name.replace("_", "-"), value)]
    run("sample", verb, *words, "-o", "theirs.csv")
    assert pathlib.Path("ours.csv").read_bytes() == pathlib.Path("theirs.csv").read_bytes()


def test_a_part_of_a_network_is_a_network():
    part = fl.Network("lattice:9x9:400").cut("part.csv", around=(0.001, 0.001), vertices=9)
    assert part.info()["vertices"] <= 9
    with pytest.raises(fl.InvalidOption):
        fl.Network("lattice:9x9:400").cut("other.csv", around=(50, 50), vertices=9)


def test_a_key_signs_and_can_be_taken_back(place, columns, ledger):
    office = fl.keys.make("office.key", name="office", passphrase="seven words that nobody would guess")
    assert pathlib.Path("office.key").stat().st_mode & 0o077 == 0
    with pytest.raises(fl.FoglineError):
        place(columns, sign="office.key")
    safe = place(columns, sign="office.key", passphrase="seven words that nobody would guess")
    assert "office" in str(fl.verify(safe, ledger=ledger, trust=office.file))
    pathlib.Path("trust").mkdir()
    pathlib.Path(office.file).rename("trust/office.pub")
    fl.keys.revoke("trust/office.pub", "trust/office.revoked", reason="the secret key is lost")
    assert not fl.verify(safe, ledger=ledger, trust="trust").is_shown
    with pytest.raises(FileExistsError):
        fl.keys.revoke("trust/office.pub", "trust/office.revoked", reason="again")


def test_a_key_that_is_there_is_not_replaced():
    fl.keys.make("office.key")
    with pytest.raises(fl.FileError):
        fl.keys.make("office.key")


def test_a_statement_tells_the_public(place, columns):
    safe = place(columns, output="safe.csv")
    said = {"title": "Positions of March", "curator": "traffic office"}
    assert safe.statement.registry(**said) == json.loads(
        run("statement", "safe.csv", "--registry", "--title", said["title"], "--curator", said["curator"])
    )
    page = safe.statement.notice(**said)
    assert page == run(
        "statement", "safe.csv", "--notice", "--title", said["title"], "--curator", said["curator"]
    )
    assert "Positions of March" in page


def test_caps_are_of_persons_too_and_refusals_are_few(ledger):
    ledger.set_cap("riders", "epsilon 2 per person")
    ledger.set_refusals("riders", 3)
    assert ledger.person("riders")[0].cap == 2
    assert ledger.entries[-1].event == "refusals"


def test_a_ledger_that_its_anchor_disagrees_with_is_accepted_with_a_reason(columns):
    ledger = fl.Ledger("my.ledger", anchor="anchor.log")
    ledger.add("riders", cap="epsilon 1 per metre")
    older = pathlib.Path("my.ledger").read_bytes()
    ledger.add("lab", uncapped=True)
    del ledger
    pathlib.Path("my.ledger").write_bytes(older)
    with pytest.raises(fl.FoglineError):
        fl.Ledger("my.ledger", anchor="anchor.log").add("third", uncapped=True)
    again = fl.Ledger.accept("my.ledger", anchor="anchor.log", reason="restored from the backup of Monday")
    again.add("third", uncapped=True)
    reasons = [entry.guarantee for entry in again.entries if entry.event == "accepted"]
    assert reasons == ["restored from the backup of Monday"]
