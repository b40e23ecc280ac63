# SPDX-License-Identifier: Apache-2.0
"""Records as they come, and back as the type that was given.

No library of data frames is imported here before somebody hands over one of its objects."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._errors import FileError, InvalidOption, invalid

Columns = dict[str, Any]  # names and NumPy arrays, or lists of texts
Restore = Callable[[Columns], Any]

_DEGREES = "OGC:CRS84"  # longitude, latitude: what Fogline reads and writes
_TABLES = (".parquet", ".geoparquet", ".pq")  # files that Python reads; all others are read by the core


def records_of(data: Any) -> tuple[_core.Records, Restore]:
    """Columns for the core, borrowed where they can be, and what makes the given type of released columns."""
    records = _core.Records()
    restore = _fill(records, data)
    whole = set(records.integers())
    return records, lambda columns: restore(
        {name: _as_given(name in whole, part) for name, part in columns.items()}
    )


def _as_given(is_whole: bool, values: Any) -> Any:
    """Names of vertices that were whole numbers are released as texts, and become whole numbers again."""
    if not is_whole or not isinstance(values, list):
        return values
    try:
        return np.array([int(value) for value in values], np.int64)
    except ValueError:
        return values


def is_path(data: Any) -> bool:
    """A file that the core reads by itself."""
    return isinstance(data, (str, os.PathLike)) and not is_table(data)


def is_table(data: Any) -> bool:
    """A file of Parquet, which Python reads."""
    return isinstance(data, (str, os.PathLike)) and os.fsdecode(data).lower().endswith(_TABLES)


def write_table(data: Any, file: str | os.PathLike[str]) -> None:
    """What was released as Parquet, or as GeoParquet if it has points, in a file."""
    parquet = _import("pyarrow.parquet", "arrow", "writing Parquet")
    if _is_of("geopandas.GeoDataFrame")(data):
        data.to_parquet(file, index=False, schema_version="1.1.0", write_covering_bbox=True)
    elif _is_of("pandas.DataFrame")(data):
        data.to_parquet(file, index=False)
    elif isinstance(data, Mapping) or hasattr(data, "__arrow_c_stream__"):
        import pyarrow

        parquet.write_table(pyarrow.table(data), file)
    else:
        raise invalid("file", f"of Parquet holds no {type(data).__name__}", hint="save it as .csv")


def _fill(records: _core.Records, data: Any) -> Restore:
    if isinstance(data, (str, os.PathLike)):
        data = _read_table(os.fspath(data))
    for is_one, fill in _SORTS:
        if is_one(data):
            return fill(records, data)
    raise invalid(
        "input",
        f"is a {type(data).__name__}, of which Fogline makes no records",
        allowed="a path, a mapping of columns, a data frame, an Arrow table, a graph",
        hint='hand over columns by name, such as {"lon": ..., "lat": ...}',
    )


# Files


def _read_table(path: str | bytes) -> Any:
    path = os.fsdecode(path)
    if not path.lower().endswith(_TABLES):
        raise invalid("input", "is the name of a file that the core reads")
    parquet = _import("pyarrow.parquet", "arrow", "reading Parquet")
    try:
        table = parquet.read_table(path)
    except (OSError, ValueError) as error:
        wrong = "does not exist" if isinstance(error, FileNotFoundError) else "cannot be read as Parquet"
        raise FileError(wrong, code="file", file=path) from error
    if b"geo" in (table.schema.metadata or {}):
        return _import("geopandas", "geo", "reading GeoParquet").read_parquet(path)
    return table


def _import(module: str, extra: str, what: str) -> Any:
    try:
        return __import__(module, fromlist=["_"])
    except ImportError as error:
        raise invalid(
            "input", f"needs {module.split('.')[0]} ({what})", hint=f"pip install 'fogline[{extra}]'"
        ) from error


# Columns of NumPy and of whatever can be made one


def add_column(records: _core.Records, name: Any, values: Any) -> None:
    """One column, as it is if the core can read it so."""
    if not isinstance(name, str):
        raise invalid("input", "has a column whose name is no text", hint="rename it")
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        values = _arrow_column(name, values)
    array = values if isinstance(values, np.ndarray) else np.asarray(_plain(name, values))
    if array.ndim != 1:
        raise _no_column(name, f"has {array.ndim} dimensions", "one value for each record")
    if isinstance(array, np.ma.MaskedArray):
        array = _unmasked(array)
    kind = array.dtype.kind
    if kind == "f" and array.dtype.itemsize <= 8:
        records.number(name, np.ascontiguousarray(array, np.float64))
    elif kind == "i" or (kind == "u" and (array.dtype.itemsize < 8 or _fits(array))):
        records.integer(name, np.ascontiguousarray(array, np.int64))
    elif kind == "M":
        _add_moments(records, name, array)
    elif kind in "buU":
        records.text(name, [str(value).lower() if kind == "b" else str(value) for value in array.tolist()])
    elif kind == "O":
        _add_objects(records, name, array)
    else:
        raise _no_column(name, f"is of type {array.dtype}")


def _arrow_column(name: str, values: Any) -> Any:
    """As objects where there are nulls: NumPy would make integers floats, which do not hold all of them."""
    if hasattr(values, "to_pylist"):  # pyarrow's
        return np.array(values.to_pylist(), object) if values.null_count else values.to_numpy()
    return values


def _plain(name: str, values: Any) -> Any:
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise _no_column(name, f"is a {type(values).__name__}", "a sequence of values")
    try:
        return np.asarray(values)
    except (ValueError, TypeError):
        raise _no_column(name, "has values of different shapes") from None


def _no_column(name: str, wrong: str, allowed: str = "numbers, texts or moments") -> Exception:
    return invalid("input", f'column "{name}" {wrong}', allowed=allowed, hint="leave it out, or convert it")


def _fits(array: np.ndarray) -> bool:
    return array.size == 0 or int(array.max()) <= np.iinfo(np.int64).max


def _unmasked(array: Any) -> np.ndarray:
    if not np.ma.is_masked(array):
        return np.asarray(array.data)
    if array.dtype.kind == "f":
        return np.asarray(array.filled(np.nan))
    values = np.asarray(array.data).astype(
        object
    )  # filled() would put a number or a text in the place of what is missing
    values[np.ma.getmaskarray(array)] = None
    return values


def _add_moments(records: _core.Records, name: str, array: np.ndarray) -> None:
    """Whole unix seconds, rounded down; what is missing is an empty text."""
    seconds = array.astype("datetime64[s]")
    missing = np.isnat(seconds)
    whole = seconds.astype(np.int64)
    if not missing.any():
        records.integer(name, whole)
        return
    records.text(name, ["" if gone else str(value) for value, gone in zip(whole.tolist(), missing.tolist())])


def _add_objects(records: _core.Records, name: str, array: np.ndarray) -> None:
    values = array.tolist()
    if all(isinstance(value, (str, int, np.integer, np.bool_)) or _is_missing(value) for value in values):
        records.text(name, [_written(value) for value in values])
    elif all(isinstance(value, datetime.datetime) or _is_missing(value) for value in values):
        _add_moments(records, name, np.array([_utc(value) for value in values], "datetime64[us]"))
    elif all(isinstance(value, (int, float, np.number)) or _is_missing(value) for value in values):
        numbers = [np.nan if _is_missing(value) else float(value) for value in values]
        records.number(name, np.array(numbers, np.float64))
    else:
        raise _no_column(name, "holds objects that are neither texts nor numbers nor moments")


def _written(value: Any) -> str:
    if _is_missing(value):
        return ""
    return str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)


def _is_missing(value: Any) -> bool:
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float) and value != value)
    )


def _utc(value: Any) -> Any:
    if _is_missing(value):
        return np.datetime64("NaT")
    return value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value


def _fill_mapping(records: _core.Records, data: Mapping[Any, Any]) -> Restore:
    for name, values in data.items():
        add_column(records, name, values)
    return dict


def _fill_array(records: _core.Records, data: np.ndarray) -> Restore:
    """Two columns of positions, or an array of records with names."""
    if data.dtype.names:
        for name in data.dtype.names:
            add_column(records, name, data[name])
        return _as_records
    if data.ndim != 2 or data.shape[1] != 2 or data.dtype.kind not in "fiu":
        raise invalid(
            "input",
            f"is an array of shape {data.shape}",
            allowed="an array of shape (n, 2), longitude and latitude, or one with names of columns",
        )
    add_column(records, "lon", data[:, 0])
    add_column(records, "lat", data[:, 1])
    return lambda columns: np.column_stack([columns["lon"], columns["lat"]])


def _as_records(columns: Columns) -> np.ndarray:
    arrays = {name: np.asarray(values) for name, values in columns.items()}
    made = np.empty(len(next(iter(arrays.values()))), [(name, array.dtype) for name, array in arrays.items()])
    for name, array in arrays.items():
        made[name] = array
    return made


# Data frames


def _fill_pandas(records: _core.Records, data: Any) -> Restore:
    _require_own_names(data.columns)
    for name in data.columns:
        add_column(records, name, _series(data[name]))
    pandas = sys.modules["pandas"]
    return lambda columns: pandas.DataFrame(columns)


def _require_own_names(names: Any) -> None:
    if not names.is_unique:
        raise invalid("input", "has two columns of one name", hint="rename one of them")


def _series(series: Any) -> Any:
    """A column of pandas as NumPy has it: moments in UTC, words of a category as texts, what is missing as None."""
    dtype = series.dtype
    if getattr(dtype, "tz", None) is not None:
        return series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
    if isinstance(dtype, np.dtype):
        return series.to_numpy()
    if dtype.kind in "f" or (dtype.kind in "iu" and not series.hasnans):
        return (
            series.to_numpy(f"{dtype.kind}8", na_value=np.nan)
            if dtype.kind == "f"
            else series.to_numpy(f"{dtype.kind}8")
        )
    return series.astype(object).to_numpy(object)


def _fill_geopandas(records: _core.Records, data: Any) -> Restore:
    import pandas

    _require_own_names(data.columns)
    if data._geometry_column_name not in data.columns:
        raise invalid("input", "has no geometry", hint="name it, as in data.set_geometry('place')")
    if data.crs is None:
        raise invalid(
            "input",
            "has no coordinate system",
            allowed="a GeoDataFrame whose crs is set",
            hint="say which it is, such as data.set_crs('EPSG:4326')",
        )
    geometry = data.geometry
    if not (geometry.geom_type.dropna() == "Point").all():
        raise invalid("input", "has geometries that are no points", hint="hand over one row for each point")
    degrees = geometry if data.crs.to_epsg() == 4326 else geometry.to_crs(_DEGREES)
    for name in data.columns:
        if name in ("lon", "lat"):
            raise invalid("input", f'has a geometry and a column "{name}"', hint="drop one of them")
        if name == geometry.name:
            add_column(records, "lon", degrees.x.to_numpy())
            add_column(records, "lat", degrees.y.to_numpy())
        else:
            add_column(records, name, _series(data[name]))
    crs, active = data.crs, geometry.name

    def restore(columns: Columns) -> Any:
        if "lon" not in columns:
            return pandas.DataFrame(columns)
        return _geo_frame(columns, crs, active)

    return restore


def _geo_frame(columns: Columns, crs: Any, active: str) -> Any:
    import geopandas

    # Points stand where longitude and latitude stood, so that the frame tells the order of what was released.
    points = geopandas.GeoSeries(geopandas.points_from_xy(columns["lon"], columns["lat"]), crs=_DEGREES)
    parts = {active if name == "lon" else name: values for name, values in columns.items() if name != "lat"}
    parts[active] = points.set_crs(crs, allow_override=True) if crs.to_epsg() == 4326 else points.to_crs(crs)
    return geopandas.GeoDataFrame(parts, geometry=active, crs=crs)


def _fill_moving(records: _core.Records, data: Any) -> Restore:
    """Trajectories of movingpandas: points with a moment as their index."""
    points = data.to_point_gdf()
    name = data.get_traj_id_col() if hasattr(data, "get_traj_id_col") else data.traj_id_col_name
    points = points.rename(columns={name: "traj_id"} if name != "traj_id" else {})
    if "t" in points.columns:
        raise invalid("input", 'has moments as its index and a column "t"', hint="drop one of them")
    points.insert(0, "t", points.index)
    back, moving = _fill_geopandas(records, points), sys.modules["movingpandas"]

    def restore(columns: Columns) -> Any:
        frame = back(columns)
        if not {"t", "traj_id"} <= set(frame.columns):
            return frame
        frame["t"] = np.asarray(columns["t"]).astype("datetime64[s]")
        points_of = frame.groupby("traj_id")["t"].transform("size")
        if (points_of < 2).any():  # of which movingpandas makes no trajectory
            return frame
        return moving.TrajectoryCollection(frame, traj_id_col="traj_id", t="t")

    return restore


def _fill_polars(records: _core.Records, data: Any) -> Restore:
    if hasattr(data, "collect"):
        try:
            data = data.collect()
        except Exception:  # which quotes the value that it stumbled over
            raise invalid(
                "input", "is a LazyFrame that cannot be collected", hint="collect it first"
            ) from None
    records.arrow(data.__arrow_c_stream__())
    made: Restore = sys.modules["polars"].DataFrame
    return made


def _fill_spark(records: _core.Records, data: Any) -> Restore:
    """Collected by the driver, in the order in which Spark gives the rows; what is released goes back as a frame."""
    if not hasattr(data, "toArrow"):
        raise invalid(
            "input",
            "is a frame of a Spark that gives no Arrow",
            allowed="PySpark 4",
            hint="hand over data.toPandas()",
        )
    records.arrow(data.toArrow().__arrow_c_stream__())
    session = data.sparkSession
    return lambda columns: session.createDataFrame(_arrow_table(columns))


def _fill_arrow(records: _core.Records, data: Any) -> Restore:
    try:
        stream = data.__arrow_c_stream__()
    except Exception:
        raise invalid(
            "input", f"is a {type(data).__name__} that gives no table", hint="hand over a frame"
        ) from None
    try:
        records.arrow(stream)
    except InvalidOption:
        if "geoarrow" not in str(getattr(data, "schema", "")):
            raise
        hint = "hand over geopandas.GeoDataFrame.from_arrow(table)"
        raise invalid("input", "has a column of geometries", hint=hint) from None
    return _arrow_table


def _arrow_table(columns: Columns) -> Any:
    try:
        import pyarrow
    except ImportError:
        return columns
    return pyarrow.table(columns)


def _fill_interchange(records: _core.Records, data: Any) -> Restore:
    convert = _import("pyarrow.interchange", "arrow", "reading __dataframe__").from_dataframe
    return _fill_arrow(records, convert(data))


# Graphs, as edges


def _fill_networkx(records: _core.Records, data: Any) -> Restore:
    nodes = {str(node): node for node in data.nodes}
    if len(nodes) != data.number_of_nodes():
        raise invalid("input", "has nodes that are written alike", hint="relabel them")
    edges = list(data.edges(data="weight"))
    records.text("source", [str(source) for source, _, _ in edges])
    records.text("target", [str(target) for _, target, _ in edges])
    add_column(records, "weight", [weight for _, _, weight in edges])

    def restore(columns: Columns) -> Any:
        if "weight" not in columns:
            return columns
        made = type(data)()
        made.add_nodes_from(data.nodes)
        for source, target, weight in zip(columns["source"], columns["target"], columns["weight"].tolist()):
            made.add_edge(nodes[source], nodes[target], weight=weight)
        return made

    return restore


def _fill_sparse(records: _core.Records, data: Any) -> Restore:
    """Edges are the entries that are stored, those that are 0 among them."""
    entries = data.tocoo()
    add_column(records, "source", entries.row.astype(np.int64))
    add_column(records, "target", entries.col.astype(np.int64))
    add_column(records, "weight", entries.data)

    def restore(columns: Columns) -> Any:
        if "weight" not in columns:
            return columns
        rows, cols = (np.asarray([int(name) for name in columns[end]]) for end in ("source", "target"))
        return type(entries)((columns["weight"], (rows, cols)), shape=data.shape).asformat(data.format)

    return restore


def _is_of(*names: str) -> Callable[[Any], bool]:
    """Whether a base of its class has one of these names, such as pandas.DataFrame: nothing is imported to see that."""

    def is_one(data: Any) -> bool:
        found = (f"{kind.__module__.split('.')[0]}.{kind.__name__}" for kind in type(data).__mro__)
        return any(name in names for name in found)

    return is_one


_SORTS: Sequence[tuple[Callable[[Any], bool], Callable[[_core.Records, Any], Restore]]] = (
    (lambda data: isinstance(data, np.ndarray), _fill_array),
    (_is_of("geopandas.GeoDataFrame"), _fill_geopandas),
    (_is_of("pandas.DataFrame"), _fill_pandas),
    (_is_of("polars.DataFrame", "polars.LazyFrame"), _fill_polars),
    (_is_of("pyspark.DataFrame"), _fill_spark),
    (_is_of("movingpandas.TrajectoryCollection", "movingpandas.Trajectory"), _fill_moving),
    (_is_of("networkx.Graph"), _fill_networkx),
    (_is_of("scipy.spmatrix", "scipy.sparray"), _fill_sparse),
    (lambda data: hasattr(data, "__arrow_c_stream__"), _fill_arrow),
    (lambda data: hasattr(data, "__dataframe__"), _fill_interchange),
    (lambda data: isinstance(data, Mapping), _fill_mapping),
)
