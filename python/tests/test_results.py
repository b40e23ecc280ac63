# SPDX-License-Identifier: Apache-2.0
"""What is given back can be kept, found again and verified, wherever it went."""

import json
import pathlib

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from conftest import MAP, charges

import fogline as fl

pytestmark = pytest.mark.filterwarnings("ignore::fogline.FoglineWarning")
TRIPS = {"area": "-30.06,44.96,-29.94,45.04", "epsilon": 1, "dataset": "trips"}


@pytest.fixture
def synthetic(ledger):
    fl.sample.traces(output="day.csv", people=30)
    return fl.traces.release(pd.read_csv("day.csv"), **TRIPS, ledger=ledger)


def test_trips_in_memory_are_made_again_from_their_counts(synthetic, ledger):
    assert synthetic.more.keys() == {"release.counts.json"}
    assert fl.verify(synthetic, ledger=ledger).passed
    assert synthetic.statement.verify(ledger=ledger).passed
    synthetic.save("safe.csv")
    assert pathlib.Path("release.counts.json").read_text() == synthetic.more["release.counts.json"]
    assert fl.verify("safe.csv", ledger=ledger).passed
    with pytest.raises(fl.FileError, match=r"release\.counts\.json.*already"):
        synthetic.save("again.csv")
    assert not pathlib.Path("again.csv").exists()


def test_trips_are_kept_as_parquet(synthetic, ledger):
    pytest.importorskip("pyarrow")
    synthetic.save("safe.parquet")
    assert fl.verify("safe.parquet", ledger=ledger).passed


@pytest.mark.parametrize("make", [pd.DataFrame, dict], ids=["pandas", "columns"])
def test_positions_are_kept_as_parquet_to_the_last_digit(place, ledger, make):
    pytest.importorskip("pyarrow")
    many = {"lon": np.linspace(-0.003, 0.003, 200), "lat": np.linspace(-0.003, 0.003, 200)}
    safe = place(make(many))
    safe.save("safe.parquet")
    assert fl.verify("safe.parquet", ledger=ledger).passed
    frame = pd.read_parquet("safe.parquet")
    frame.loc[0, "lat"] += 0.001
    frame.to_parquet("safe.parquet", index=False)
    assert not fl.verify("safe.parquet", ledger=ledger).passed


def test_what_went_to_a_file_is_looked_at_there(place, columns, ledger):
    safe = place(columns, output="safe.csv")
    assert safe.file.endswith("/safe.csv") and fl.verify(safe, ledger=ledger).passed
    with pytest.raises(fl.InvalidOption, match="is in a file"):
        safe.save("again.csv")
    assert not pathlib.Path("again.csv").exists()


def test_what_was_answered_step_by_step_is_not_saved_as_nothing(house, ledger):
    asked = {
        "model": house,
        "policy": "complete",
        "epsilon": 1,
        "anyway": True,
        "ledger": ledger,
        "dataset": "walk",
    }
    with fl.stream.live(**asked) as stream:
        stream.step("hall")
    assert stream.statement["kind"] == "stream"
    for use in (lambda: stream.released.save("walk.csv"), lambda: fl.verify(stream.released, ledger=ledger)):
        with pytest.raises(fl.InvalidOption, match="step by step"):
            use()
    assert not pathlib.Path("walk.csv").exists()


def test_a_refused_record_leaves_the_statement_of_what_was_answered(house, ledger):
    asked = {
        "model": house,
        "policy": "complete",
        "epsilon": 1,
        "anyway": True,
        "ledger": ledger,
        "dataset": "walk",
    }
    with pytest.raises(fl.DataError), fl.stream.live(**asked) as stream:
        stream.step("hall")
        stream.step("kitchen")
    assert stream.released is None
    assert stream.statement["outputs"][0]["records"] == 1


def test_a_stream_that_was_asked_nothing_is_none(house, ledger):
    asked = {
        "model": house,
        "policy": "complete",
        "epsilon": 1,
        "anyway": True,
        "ledger": ledger,
        "dataset": "walk",
    }
    before = [entry.event for entry in ledger.entries]
    with fl.stream.live(**asked) as stream:
        pass
    assert stream.released is None and stream.statement is None
    del stream
    assert [entry.event for entry in ledger.entries] == before


def test_live_columns_are_told_by_their_names(ledger):
    asked = {
        "network": MAP,
        "epsilon": "1/50",
        "ledger": ledger,
        "dataset": "riders",
        "statement": "safe.jsonl",
    }
    with fl.place.live(**asked) as positions:
        positions.step({"lon": 0.001, "lat": 0.0009})
        positions.step({"lat": 0.0009, "lon": 0.001})
        with pytest.raises(fl.InvalidOption, match="other columns"):
            positions.step({"lat": 0.0009, "lng": 0.001})
    assert charges(ledger) == 2


def test_vertices_that_were_numbers_are_numbers(ledger):
    roads = pd.DataFrame({"source": [1, 2, 3], "target": [2, 3, 1], "weight": [3, 1, 7]})
    safe = fl.weights.release(roads, range="1:10", epsilon=2, ledger=ledger, dataset="roads").data
    assert len(roads.merge(safe, on=["source", "target"])) == 3


@pytest.mark.parametrize("name", ["safe.geojson", "safe.csv.gz", "safe.xlsx", "safe.json"])
def test_a_name_of_another_format_is_refused(place, columns, name):
    with pytest.raises(fl.InvalidOption, match="another format"):
        place(columns).save(name)
    assert not pathlib.Path(name).exists()


def test_whatever_goes_wrong_with_files_is_an_error_of_fogline(place, columns):
    pathlib.Path("no.json").write_text("lon,lat")
    pathlib.Path("mine.npz").write_bytes(b"")
    for use in (
        lambda: fl.Statement.load("no.json"),
        lambda: fl.Statement.load("missing.json"),
        lambda: place(columns).save("nowhere/safe.csv"),
        lambda: fl.place.Mechanism.from_matrix(np.eye(2), "mine.npz"),
        lambda: place(pd.Series([1.0, 2.0])),
    ):
        with pytest.raises(fl.FoglineError):
            use()


def test_datasets_that_nobody_declared_are_told(ledger):
    with pytest.raises(fl.InvalidOption, match="not declared"):
        ledger.spent("ridesr")
    with pytest.raises(fl.InvalidOption, match="not declared"):
        ledger.person("ridesr")
    with pytest.warns(fl.FoglineWarning, match="was not declared"):
        ledger.set_cap("new", 1)


def test_what_was_probably_meant_is_said(place, columns):
    with pytest.raises(TypeError, match=r"fogline\.place\.release\(\).*probably you mean 'network'"):
        fl.place.release(columns, netwrk=MAP)
    with pytest.raises(fl.InvalidOption, match="is a Graph"):
        fl.place.plan(network=nx.Graph([(1, 2)]), epsilon="1/50")


def test_columns_are_named_by_a_mapping(place):
    given = {"pickup_x": [0.001], "pickup_y": [0.0009]}
    safe = place(given, columns={"lon": "pickup_x", "lat": "pickup_y"}, seed=7)
    assert safe.text == place(given, columns="lon=pickup_x,lat=pickup_y", seed=7).text
    assert json.loads(safe.statement.text)["kind"] == "place"
