# SPDX-License-Identifier: Apache-2.0
"""Mechanisms for places that were prepared: files that everybody can draw from."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from ._errors import FileError, invalid
from ._verbs import analyse


class Mechanism(os.PathLike[str]):
    """A prepared mechanism, or a table of one's own, in a file. It stands wherever `kernel` or `mechanism` is
    asked for, and can be pickled: the file stays where it is.

        city = fl.place.Mechanism.prepare("city.kernel", network="city:1", epsilon="1/100")
        fl.place.release(riders, kernel=city, ledger=ledger, dataset="riders")
        mine = fl.place.Mechanism.from_matrix(matrix, "mine.npz")
        fl.place.audit(network="lattice:5x5:400", mechanism=mine, epsilon="1/100")
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.file = os.fspath(file)

    @classmethod
    def prepare(cls, output: str | os.PathLike[str], **fields: Any) -> Mechanism:
        """fogline.place.prepare() with its answer as a mechanism."""
        analyse("place", "prepare", {**fields, "output": output})
        return cls(output)

    @classmethod
    def from_matrix(cls, matrix: Any, file: str | os.PathLike[str]) -> Mechanism:
        """A table of probabilities, a row for each true vertex and a column for each output, written into a new
        .npz file. NumPy or scipy.sparse."""
        if not os.fspath(file).endswith(".npz"):
            raise invalid("file", "must end in .npz")
        if hasattr(matrix, "tocsr"):
            matrix = matrix.tocsr()
            parts = {
                "indptr": matrix.indptr,
                "indices": matrix.indices,
                "data": np.asarray(_real(matrix.data), np.float64),
            }
            parts |= {"format": np.array(b"csr"), "shape": np.array(matrix.shape, np.int64)}
        else:
            parts = {"probability": np.ascontiguousarray(_real(matrix), np.float64)}
        try:
            with open(file, "xb") as out:
                np.savez(out, **parts)
        except OSError as error:
            raise FileError(
                error.strerror or "cannot be written", code="file", file=os.fspath(file)
            ) from None
        return cls(file)

    @classmethod
    def from_function(
        cls,
        function: Callable[[np.ndarray, np.ndarray], Any],
        file: str | os.PathLike[str],
        *,
        network: Any,
        epsilon: Any,
        **fields: Any,
    ) -> Mechanism:
        """The table of a function, written into a new .npz file. The function is asked once for each vertex of the
        network: of its place, (lon, lat), and the places of all vertices, of shape (n, 2), it makes n weights,
        none below 0, which are divided by their sum.

            near = lambda place, places: np.exp(-np.hypot(*(places - place).T) * 100)
            mine = fl.place.Mechanism.from_function(near, "mine.npz", network="lattice:5x5:400", epsilon="1/100")
            fl.place.audit(network="lattice:5x5:400", mechanism=mine, epsilon="1/100")
        """
        places = _places_of(network=network, epsilon=epsilon, **fields)
        rows = []
        for place in places:
            row = np.asarray(function(place, places), np.float64)
            total = row.sum()
            if row.shape != (len(places),) or not np.isfinite(total) or total <= 0 or (row < 0).any():
                raise invalid(
                    "function",
                    "does not give a weight for each vertex",
                    allowed="finite weights, none below 0, not all 0",
                )
            rows.append(row / total)
        return cls.from_matrix(np.array(rows), file)

    def matrix(self, *, dense: bool = False, weights: bool = False) -> Any:
        """Its table as NumPy has it; sparse, as scipy.sparse has it, if scipy is there. `weights`: the exact
        integers that releases are drawn from."""
        if self.file.endswith(".npz"):
            return _array_of(self.file)
        with tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "table.npz")
            given = {"kernel": self.file, "matrix": table, "dense": dense, "weights": weights}
            analyse("place", "kernel", given)
            return _array_of(table)

    def __fspath__(self) -> str:
        return self.file

    def __repr__(self) -> str:
        return f"Mechanism({self.file!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mechanism) and other.file == self.file

    def __hash__(self) -> int:
        return hash(self.file)


def _real(matrix: Any) -> Any:
    if np.iscomplexobj(matrix):
        raise invalid("matrix", "has complex numbers", allowed="probabilities")
    return matrix


def _places_of(**fields: Any) -> np.ndarray:
    """Longitude and latitude of the vertices that a mechanism of these fields has, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        kernel, table = os.path.join(folder, "gem.kernel"), os.path.join(folder, "gem.npz")
        analyse("place", "prepare", {**fields, "mechanism": "gem", "output": kernel})
        analyse("place", "kernel", {"kernel": kernel, "matrix": table})
        with np.load(table) as parts:
            return np.column_stack([parts["lon"], parts["lat"]])


def _array_of(file: str) -> Any:
    with np.load(file) as parts:
        if "probability" in parts:
            return parts["probability"]
        if "weight_high" in parts:
            return _whole(parts["weight_high"], parts["weight_low"])
        try:
            from scipy import sparse
        except ImportError as error:
            raise invalid("matrix", "is sparse", hint="pip install scipy, or say dense=True") from error
        return sparse.csr_array(
            (parts["data"], parts["indices"], parts["indptr"]), shape=tuple(parts["shape"])
        )


def _whole(high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Integers beyond 64 bits, as Python has them."""
    whole: np.ndarray = high.astype(object) * 2**64 + low.astype(object)
    return whole
