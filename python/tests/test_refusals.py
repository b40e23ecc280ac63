# SPDX-License-Identifier: Apache-2.0
"""Wrong arguments: each gives the documented error, and nothing is charged."""

import datetime
import decimal
import fractions

import numpy as np
import pytest
from conftest import MAP, charges

import fogline as fl

pd = pytest.importorskip("pandas")
gpd = pytest.importorskip("geopandas")

NAN = float("nan")
ONE = {"lon": [0.001], "lat": [0.0009]}

# (kind, the field at fault, what is given for it, what is given besides)
FIELDS = [
    # epsilon: exact, in its range
    *[
        ("place", "epsilon", value, {})
        for value in (
            0.01,
            0.1,
            1 / 3,
            NAN,
            float("inf"),
            np.float64(0.01),
            np.float32(0.5),
            "0",
            "-1",
            "x",
            "",
            "1/0",
            "0.01 ",
            "1e400",
            "2000",
            "0.000001",
            0,
            -1,
            10**30,
            fractions.Fraction(-1, 2),
            decimal.Decimal("NaN"),
            decimal.Decimal("-1"),
            True,
            [],
            {},
            object(),
            b"1/100",
            1j,
            [0.01],
            ["a"],
            datetime.date(2026, 1, 1),
        )
    ],
    *[("weights", "epsilon", value, {}) for value in (0.5, "no", -4, [1.5], "nan", np.array([1.0]))],
    *[("path", "epsilon_edges", value, {}) for value in (1.5, "no", -1, None.__class__, [None])],
    *[("stream", "epsilon", value, {}) for value in (0.25, "x", 0, {"a": 1})],
    *[("traces", "epsilon", value, {}) for value in (2.5, "0", "-3", {1, 2})],
    # numbers with a range
    *[
        ("place", "max_snap", value, {})
        for value in ("500", -1, 0, 10**9, NAN, float("inf"), True, [500], b"5", None.__class__)
    ],
    *[("place", "length_unit", value, {}) for value in ("0.1", 0, -0.1, 10**7, True)],
    # whole numbers
    *[
        ("place", "per_person", value, {"persons": "declared"})
        for value in (0, -1, 1.5, 2.0, "3", True, 10**7, 2**70, [1], NAN)
    ],
    *[
        ("place", "seed", value, {})
        for value in (-1, 1.5, "x", True, 2**64, [7, 8], fractions.Fraction(1, 2))
    ],
    # one of some words
    *[
        ("place", "mode", value, {})
        for value in ("flying", "", "Drivable", 1, True, ["drivable"] * 2, b"all", 0.5)
    ],
    *[("place", "too_far", value, {}) for value in ("maybe", "leave_out", 2, False)],
    # yes or no
    *[
        ("place", name, value, {})
        for name in ("remap", "guarded", "overwrite")
        for value in ("yes", 1, 0, 1.0, [], "true")
    ],
    # texts and files
    *[("place", "network", value, {}) for value in ("", 1.5, b"city:1", "lattice:0x0:1", 7, object())],
    *[("place", "mechanism", value, {}) for value in ("gemm", "", [], object())],
    *[("place", "dataset", value, {}) for value in ("", " me", "rïders", ["riders", 1.5j], b"riders")],
    *[("place", "keep", value, {}) for value in ("lon", "nothing", object())],
    *[("place", "limits", value, {}) for value in ("rows=3", "records=", "records=-1", {"records": "x"})],
    *[("place", "output", value, {}) for value in ("-", "", b"safe.csv", object())],
    *[
        ("traces", "area", value, {})
        for value in ("1,2,3", "x", (0, 0, 1), (1, 1, 0, 0), "", object(), [[0, 0, 1, 1]])
    ],
    *[("weights", "range", value, {}) for value in ("10:0", "x", "", (0, 10), 5, object())],
    *[("weights", "unit", value, {}) for value in ("person", "", 3)],
    *[("weights", "step", value, {}) for value in (0.5, "0", "-1", "x")],
    *[("stream", "policy", value, {}) for value in ("everything", "", object())],
]

BASE = {
    "place": {"network": MAP, "epsilon": "1/50", "dataset": "riders"},
    "weights": {"epsilon": 4, "range": "0:10", "dataset": "roads"},
    "stream": {"policy": "complete", "epsilon": 1, "anyway": True, "dataset": "walk"},
    "path": {"network": "net.csv", "epsilon_edges": 1, "dataset": "route"},
    "traces": {"area": "0,0,0.02,0.02", "epsilon": 5, "unit": "trip", "dataset": "trips"},
}
DATA = {
    "place": ONE,
    "weights": {"source": ["a"], "target": ["b"], "weight": [3.0]},
    "stream": {"state": ["hall", "lab"]},
    "path": {"vertex": ["a", "b"]},
    "traces": {"traj_id": [1, 1], "lon": [0.001, 0.002], "lat": [0.001, 0.002]},
}


def asked(kind, house, **fields):
    base = dict(BASE[kind], **({"model": house} if kind == "stream" else {}))
    with open("net.csv", "w") as out:
        out.write("source,target\na,b\nb,c\n")
    return {**base, **fields}


def test_there_are_a_hundred_of_them():
    assert len(FIELDS) + len(RECORDS) > 150


@pytest.mark.parametrize("kind, field, value, besides", FIELDS, ids=lambda value: str(value)[:30])
def test_a_wrong_field_is_named(kind, field, value, besides, ledger, house):
    fields = asked(kind, house, ledger=ledger, **{**besides, field: value})
    with pytest.raises(fl.FoglineError) as caught:
        getattr(fl, kind).release(DATA[kind], **fields)
    error = caught.value
    assert error.code in ("invalid-option", "undeclared-dataset", "file"), error
    assert error.code != "invalid-option" or error.field == field, error
    assert error.wrong and (error.code == "file" or isinstance(error, (ValueError, fl.BudgetError)))
    assert charges(ledger) == 0


@pytest.mark.parametrize(
    "value, meant",
    [
        (0.01, "1/100"),
        (0.1, "1/10"),
        (1 / 3, "1/3"),
        (2.0, "2"),
        (0.015, "3/200"),
        (np.float64(0.25), "1/4"),
        (1e-7, "1/10000000"),
    ],
)
def test_a_float_is_told_which_fraction_it_meant(place, value, meant):
    with pytest.raises(fl.InvalidOption) as caught:
        place(ONE, epsilon=value)
    assert caught.value.hint == f'probably you mean "{meant}"'
    assert caught.value.field == "epsilon" and caught.value.allowed


@pytest.mark.parametrize(
    "value", ["1/100", "0.01", fractions.Fraction(1, 100), decimal.Decimal("0.01"), 1, np.int64(1)]
)
def test_exact_epsilons_are_taken(place, value):
    assert place(ONE, epsilon=value).records == 1


POINT = {"lon": [0.001], "lat": [0.0009]}
RECORDS = [
    None,
    5,
    1.5,
    True,
    b"bytes",
    object(),
    "missing.csv",
    [1, 2],
    {},
    [],
    (1, 2),
    {1, 2},
    print,
    {"lon": [0.001]},
    {"lat": [0.0009]},
    {"lon": [], "lat": []},
    {**POINT, "lon": ["x"]},
    {**POINT, "lon": [NAN]},
    {**POINT, "lon": [200.0]},
    {**POINT, "lat": [95.0]},
    {**POINT, "lon": [9.0]},
    {**POINT, "lon": [1.0, 2.0]},
    {**POINT, "lon": [None]},
    {**POINT, "lon": [[0.001]]},
    {**POINT, "lon": "0.001"},
    {**POINT, "lon": 0.001},
    {**POINT, "lon": [1j]},
    {**POINT, "lon": [b"0.001"]},
    {**POINT, "lon": [object()]},
    {**POINT, "lng": [0.001]},
    {**POINT, 7: [1]},
    {**POINT, "": [1]},
    {
        **POINT,
        "tags": [
            ["a"],
        ],
    },
    {**POINT, "note": ["a\0b"]},
    np.zeros((2, 3)),
    np.zeros(4),
    np.zeros((2, 2, 2)),
    np.array([["a", "b"]]),
    np.zeros((1, 2), complex),
    pd.DataFrame({"a": [1]}),
    pd.DataFrame(),
    pd.Series([1.0]),
    pd.DataFrame({"lon": [0.001], "lat": [datetime.timedelta(1)]}),
    gpd.GeoDataFrame(geometry=gpd.points_from_xy([0.001], [0.0009])),
    gpd.GeoDataFrame(geometry=gpd.points_from_xy([0.001], [0.0009]).buffer(1), crs=4326),
    gpd.GeoDataFrame({"lon": [1]}, geometry=gpd.points_from_xy([0.001], [0.0009]), crs=4326),
    gpd.GeoDataFrame(geometry=[None], crs=4326),
]


@pytest.mark.parametrize("data", RECORDS, ids=lambda value: type(value).__name__)
def test_wrong_records_are_refused(place, ledger, data):
    with pytest.raises(fl.FoglineError) as caught:
        place(data)
    assert caught.value.code in ("invalid-option", "bad-data", "file")
    assert charges(ledger) == 0


@pytest.mark.parametrize(
    "name, value",
    [
        ("threads", -1),
        ("threads", 1.5),
        ("threads", "4"),
        ("threads", True),
        ("threads", 5000),
        ("progress", "yes"),
        ("progress", 3),
        ("ledger", 5),
        ("ledger", b"x"),
        ("ledger", ""),
    ],
)
def test_what_every_verb_takes_is_looked_at(place, ledger, name, value):
    with pytest.raises(fl.InvalidOption) as caught:
        place(ONE, **{name: value})
    assert caught.value.field == name
    assert charges(ledger) == 0


def test_unknown_arguments_are_python_s_own_error(place, ledger):
    for name in ("epsilom", "max-snap", "Epsilon"):
        with pytest.raises(TypeError, match=name):
            place(ONE, **{name: 1})
    with pytest.raises(TypeError):
        fl.place.release(ONE, MAP)
    assert charges(ledger) == 0


def test_a_dataset_that_nobody_declared_is_refused(place, ledger):
    with pytest.raises(fl.BudgetError, match="not declared") as caught:
        place(ONE, dataset="walkers")
    assert caught.value.code == "undeclared-dataset"
    assert charges(ledger) == 0


def test_frames_are_no_public_files(place, ledger):
    with pytest.raises(fl.InvalidOption, match="must be a file") as caught:
        place(ONE, prior=pd.DataFrame({"vertex": ["a"], "probability": [1.0]}))
    assert caught.value.field == "prior" and charges(ledger) == 0


def test_messages_hold_no_private_value(place):
    with pytest.raises(fl.DataError) as caught:
        place({"lon": [0.001, 123.456], "lat": [0.0009, 45.6]})
    said = str(caught.value) + repr(caught.value) + caught.value.hint + caught.value.allowed
    assert "123" not in said and "45.6" not in said
    assert caught.value.record == 2 or "2" in said
