# SPDX-License-Identifier: Apache-2.0
"""Mechanisms for places that were prepared: files that everybody can draw from."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np

from ._errors import invalid
from ._verbs import analyse


class Mechanism(os.PathLike[str]):
    """A prepared mechanism, or a table of one's own, in a file. It stands wherever `kernel` or `mechanism` is asked for, and can be pickled: the file stays
    where it is.

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
        """A table of probabilities, a row for each true vertex and a column for each output, written into a new .npz file. NumPy or scipy.sparse."""
        if not os.fspath(file).endswith(".npz"):
            raise invalid("file", "must end in .npz")
        if hasattr(matrix, "tocsr"):
            matrix = matrix.tocsr()
            parts = {
                "indptr": matrix.indptr,
                "indices": matrix.indices,
                "data": np.asarray(matrix.data, np.float64),
            }
            parts |= {"format": np.array(b"csr"), "shape": np.array(matrix.shape, np.int64)}
        else:
            parts = {"probability": np.ascontiguousarray(matrix, np.float64)}
        with open(file, "xb") as out:
            np.savez(out, **parts)
        return cls(file)

    def matrix(self, *, dense: bool = False, weights: bool = False) -> Any:
        """Its table as NumPy has it; sparse, as scipy.sparse has it, if scipy is there. `weights`: the exact integers that releases are drawn from."""
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
