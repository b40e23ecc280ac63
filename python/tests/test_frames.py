# SPDX-License-Identifier: Apache-2.0
"""Records in every form, and back in the form that was given."""

import datetime

import numpy as np
import pytest
from conftest import MAP, run
from hypothesis import given, settings
from hypothesis import strategies as st

import fogline as fl
from fogline import _core
from fogline._frames import records_of

pd = pytest.importorskip("pandas")
gpd = pytest.importorskip("geopandas")
pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
nx = pytest.importorskip("networkx")
sparse = pytest.importorskip("scipy.sparse")


def csv_of(data) -> str:
    return records_of(data)[0].csv().decode()


def address_of(array) -> int:
    return array.__array_interface__["data"][0]


# What comes back


def test_columns_come_back_as_columns(place, columns):
    safe = place(columns)
    assert isinstance(safe.data, dict) and len(safe.data["lon"]) == 3
    assert safe.data["record"].dtype == np.int64 and safe.data["lat"].dtype == np.float64


@pytest.mark.parametrize(
    "make",
    [
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda columns: gpd.GeoDataFrame(
            geometry=gpd.points_from_xy(columns["lon"], columns["lat"]), crs=4326
        ),
    ],
    ids=["pandas", "polars", "arrow", "geopandas"],
)
def test_every_frame_gives_the_same_release_as_its_own_type(place, columns, make):
    data = make(columns)
    safe, plain = place(data, seed=7), place(columns, seed=7)
    assert type(safe.data) is type(data)
    assert safe.text == plain.text
    assert len(safe.data) == 3


def test_a_lazy_frame_is_collected(place, columns):
    assert isinstance(place(pl.LazyFrame(columns)).data, pl.DataFrame)


def test_arrays_of_positions_come_back_as_such(place, columns):
    safe = place(np.column_stack([columns["lon"], columns["lat"]]), seed=7)
    assert safe.data.shape == (3, 2)
    assert safe.text == place(columns, seed=7).text
    made = np.zeros(3, [("lon", float), ("lat", float)])
    made["lon"], made["lat"] = columns["lon"], columns["lat"]
    assert set(place(made, seed=7).data.dtype.names) >= {"lon", "lat", "vertex"}


def test_projected_points_are_transformed_and_come_back_projected(place, columns):
    degrees = gpd.GeoDataFrame(geometry=gpd.points_from_xy(columns["lon"], columns["lat"]), crs=4326)
    metres = degrees.to_crs(3857)
    safe = place(metres, seed=7)
    assert safe.data.crs == metres.crs
    back = safe.data.to_crs(4326).geometry
    assert np.allclose(back.x, safe.columns["lon"]) and np.allclose(back.y, safe.columns["lat"])
    assert list(place(degrees, seed=7).columns["vertex"]) == list(safe.columns["vertex"])


def test_a_missing_coordinate_system_is_refused_with_the_remedy(place, columns):
    naked = gpd.GeoDataFrame(geometry=gpd.points_from_xy(columns["lon"], columns["lat"]))
    with pytest.raises(fl.InvalidOption, match="no coordinate system") as caught:
        place(naked)
    assert "set_crs" in caught.value.hint


def test_files_of_parquet_are_read(place, columns, tmp_path):
    pd.DataFrame(columns).to_parquet(tmp_path / "plain.parquet")
    assert isinstance(place(tmp_path / "plain.parquet").data, pa.Table)
    gpd.GeoDataFrame(geometry=gpd.points_from_xy(columns["lon"], columns["lat"]), crs=4326).to_parquet(
        "geo.parquet"
    )
    assert isinstance(place("geo.parquet").data, gpd.GeoDataFrame)


def test_a_path_is_read_by_the_core(place, columns, tmp_path):
    pd.DataFrame(columns).to_csv("riders.csv", index=False)
    assert place("riders.csv", seed=7).text == place(columns, seed=7).text
    assert place(tmp_path / "riders.csv", output="safe.csv").data is None
    assert (tmp_path / "safe.csv.statement.json").exists()


def test_a_graph_comes_back_with_other_weights(ledger):
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([(1, 2, 3.0), (2, 3, 7.0), (3, 1, 9.0)])
    asked = {"epsilon": 4, "range": "0:10", "ledger": ledger, "dataset": "roads"}
    safe = fl.weights.release(graph, **asked)
    assert isinstance(safe.data, nx.DiGraph) and set(safe.data.edges) == set(graph.edges)
    matrix = sparse.csr_array(nx.to_scipy_sparse_array(graph))
    back = fl.weights.release(matrix, **asked).data
    assert back.format == "csr" and back.shape == matrix.shape


def test_names_of_columns_of_scikit_mobility_are_understood(ledger):
    trips = pd.DataFrame(
        {
            "uid": [1] * 4 + [2] * 4,
            "tid": [1] * 4 + [2] * 4,
            "datetime": pd.date_range("2026-01-01", periods=8, freq="min"),
            "lat": np.linspace(0.001, 0.019, 8),
            "lng": np.linspace(0.002, 0.018, 8),
        }
    )
    safe = fl.traces.release(
        trips,
        area=(0, 0, 0.02, 0.02),
        epsilon=5,
        unit="trip",
        trips_to_make=5,
        ledger=ledger,
        dataset="trips",
    )
    assert isinstance(safe.data, pd.DataFrame) and {"traj_id", "t", "lon", "lat"} <= set(safe.data.columns)


def test_a_collection_of_trajectories_comes_back_as_one(ledger):
    moving = pytest.importorskip("movingpandas")
    frame = gpd.GeoDataFrame(
        {
            "trip": np.repeat([1, 2, 3], 4),
            "t": np.tile(pd.date_range("2026-01-01", periods=4, freq="min"), 3),
        },
        geometry=gpd.points_from_xy(np.linspace(0.001, 0.019, 12), np.linspace(0.002, 0.018, 12)),
        crs=4326,
    )
    trips = moving.TrajectoryCollection(frame, traj_id_col="trip", t="t")
    asked = {
        "area": (0, 0, 0.02, 0.02),
        "unit": "trip",
        "trips_to_make": 5,
        "ledger": ledger,
        "dataset": "trips",
    }
    safe = fl.traces.release(trips, epsilon=50, **asked)
    points = safe.data.to_point_gdf() if isinstance(safe.data, moving.TrajectoryCollection) else safe.data
    assert len(points) == len(safe.columns["lon"]) and points.crs.to_epsg() == 4326
    assert isinstance(safe.data, moving.TrajectoryCollection) or (points.groupby("traj_id").size() < 2).any()


class Interchanged:
    """A frame that nobody knows, but for the interchange protocol."""

    def __init__(self, frame):
        self._frame = frame

    def __dataframe__(self, **options):
        return self._frame.__dataframe__(**options)


def test_what_has_dataframe_is_read(place, columns):
    assert place(Interchanged(pd.DataFrame(columns)), seed=7).text == place(columns, seed=7).text


def test_a_frame_of_spark_comes_back_as_one(place, columns):
    sql = pytest.importorskip("pyspark.sql")
    session = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        data = session.createDataFrame(pd.DataFrame(columns)).coalesce(1)
        safe = place(data, seed=7)
        assert isinstance(safe.data, sql.DataFrame) and safe.data.count() == 3
        assert safe.text == place(columns, seed=7).text
    finally:
        session.stop()


# Borrowed, not copied


def test_numbers_are_not_copied(columns):
    table = pa.table(columns)
    frame = pd.DataFrame({"lon": columns["lon"]}, copy=False)
    for data, wanted in (
        (columns, address_of(columns["lon"])),
        (table, table.column("lon").chunk(0).buffers()[1].address),
        (table.slice(1), table.column("lon").chunk(0).buffers()[1].address + 8),
        (pl.DataFrame(columns), None),
        (frame, address_of(frame["lon"].to_numpy())),
    ):
        records, _ = records_of(data)
        assert wanted is None or records.address("lon") == wanted


# Arrow, in all its forms


def arrow_csv(array) -> list[str]:
    return csv_of(pa.table({"x": array, "i": list(range(len(array)))})).splitlines()[1:]


@pytest.mark.parametrize(
    "array, wanted",
    [
        (pa.array([1.5, None, 2.25]), ["1.5", "", "2.25"]),
        (pa.array([1.5, 2.5], pa.float32()), ["1.5", "2.5"]),
        (pa.array([9, 8, 7, 6])[1:3], ["8", "7"]),
        (pa.array([1, None, 3]), ["1", "", "3"]),
        (pa.array([2**64 - 1, 5], pa.uint64()), ["18446744073709551615", "5"]),
        (pa.array([-3, 4], pa.int8()), ["-3", "4"]),
        (pa.chunked_array([[1.0], [], [2.0, 3.5]]), ["1", "2", "3.5"]),
        (pa.chunked_array([["a"], ["b", None]]), ["a", "b", ""]),
        (pa.array(["a", "bc", "def"])[1:], ["bc", "def"]),
        (pa.array(["x", None], pa.large_string()), ["x", ""]),
        (
            pa.array(["short", "a text of more than twelve letters", None], pa.string_view()),
            ["short", "a text of more than twelve letters", ""],
        ),
        (pa.array(["a", "b", "a", None]).dictionary_encode(), ["a", "b", "a", ""]),
        (
            pa.chunked_array(
                [pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", "b"]).dictionary_encode()]
            ),
            ["a", "b", "c", "b"],
        ),
        (pa.array(["a", "b", "c"]).dictionary_encode()[1:], ["b", "c"]),
        (pa.array([True, False, None])[1:], ["false", ""]),
        (pa.nulls(2), ["", ""]),
        (pa.array([datetime.datetime(2026, 1, 1), None], pa.timestamp("ns")), ["1767225600", ""]),
        (pa.array([-1500], pa.timestamp("ms", "UTC")), ["-2"]),
        (pa.array([datetime.date(1970, 1, 2)]), ["86400"]),
    ],
    ids=str,
)
def test_arrow_is_read_right(array, wanted):
    assert arrow_csv(array) == [f"{value},{i}" for i, value in enumerate(wanted)]


@pytest.mark.parametrize(
    "array",
    [
        pa.array([[1.0]]),
        pa.array([{"a": 1}]),
        pa.array([b"x"]),
        pa.array([datetime.timedelta(1)]),
        pa.array([1], pa.decimal128(5)),
        pa.array([1.0], pa.float16()),
        pa.array([1, 2]).dictionary_encode()[:1],
        pa.array([datetime.time(1)]),
    ],
    ids=lambda array: str(array.type),
)
def test_what_arrow_means_otherwise_is_refused(array):
    with pytest.raises(fl.InvalidOption, match='column "x"'):
        records_of(pa.table({"x": array}))


def test_what_is_no_table_is_refused():
    with pytest.raises(fl.InvalidOption, match="one Arrow array"):
        records_of(pa.chunked_array([[1.0]]))
    with pytest.raises(fl.InvalidOption, match="different names"):
        records_of(pa.table([[1], [2]], names=["a", "a"]))


def test_an_empty_table_is_one():
    assert csv_of(pa.table({"lon": pa.array([], pa.float64()), "t": pa.array([], pa.string())})) == "lon,t\n"


# The same whatever the form


CELLS = st.one_of(st.none(), st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=20))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(2**63), 2**63 - 1), CELLS),
        max_size=20,
    ),
    st.integers(0, 5),
)
def test_columns_frames_and_arrow_are_the_same_records(rows, cut):
    numbers, whole, texts = (list(part) for part in zip(*rows)) if rows else ([], [], [])
    columns = {"x": np.array(numbers, float), "n": np.array(whole, np.int64), "s": np.array(texts, object)}
    table = pa.table(
        {
            "x": pa.array(numbers, pa.float64()),
            "n": pa.array(whole, pa.int64()),
            "s": pa.array(texts, pa.string()),
        }
    )
    plain = csv_of(columns)
    assert csv_of(table) == plain
    assert csv_of(pa.concat_tables([table.slice(0, cut), table.slice(cut)])) == plain
    assert csv_of(pl.DataFrame({name: table[name] for name in table.column_names})) == plain
    assert csv_of(pd.DataFrame(columns)) == plain


@pytest.mark.parametrize(
    "values, wanted",
    [
        (pd.Series([1, None], dtype="Int64"), ["1", ""]),
        (pd.Series([1, 2], dtype="Int32"), ["1", "2"]),
        (pd.Series([1.5, None], dtype="Float64"), ["1.5", ""]),
        (pd.Series(["a", None], dtype="string"), ["a", ""]),
        (pd.Series(["a", "b", "a"], dtype="category"), ["a", "b", "a"]),
        (pd.Series(pd.to_datetime(["2026-01-01T01:00+01:00", None], utc=True)), ["1767225600", ""]),
        (pd.Series([True, False]), ["true", "false"]),
        (pd.Series([1, "x"], dtype=object), ["1", "x"]),
        (np.ma.array([1.5, 2.5], mask=[False, True]), ["1.5", ""]),
        ([1, 2], ["1", "2"]),
        (["a", None], ["a", ""]),
        ([datetime.datetime(2026, 1, 1), None], ["1767225600", ""]),
        (np.array([1, 2], ">i4"), ["1", "2"]),
        (np.arange(6.0)[::3], ["0", "3"]),
    ],
    ids=str,
)
def test_columns_of_numpy_and_pandas_are_read_right(values, wanted):
    data = pd.DataFrame({"x": values}) if isinstance(values, pd.Series) else {"x": values}
    lines = csv_of(
        {**data, "i": list(range(len(wanted)))}
        if isinstance(data, dict)
        else data.assign(i=range(len(wanted)))
    )
    assert lines.splitlines()[1:] == [f"{value},{i}" for i, value in enumerate(wanted)]


def test_an_analysis_takes_frames_and_releases(place, columns):
    safe = place(columns, seed=7)
    found = fl.place.measure(network=MAP, epsilon="1/50", truth=pd.DataFrame(columns), released=safe)
    pd.DataFrame(columns).to_csv("truth.csv", index=False)
    safe.save("safe.csv")
    said = run(
        "place",
        "measure",
        "--network",
        MAP,
        "--epsilon",
        "1/50",
        "--truth",
        "truth.csv",
        "--released",
        "safe.csv",
        "--json",
    )
    import json

    assert found["release"] == json.loads(said)["release"]
    assert found.is_private and found._repr_html_() is None
    assert isinstance(_core.Records().names(), list)
