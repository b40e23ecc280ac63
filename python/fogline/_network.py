# SPDX-License-Identifier: Apache-2.0
"""Road networks and graphs, which are public and files: their hash stands in statements."""

from __future__ import annotations

import csv
import os
from typing import Any, Literal

from ._errors import invalid


class Network:
    """A network and how it is read, for every argument `network`.

        city = fl.Network("porto.osm.pbf", mode="walkable")
        fl.place.plan(network=city, epsilon="1/100")
        print(city.info())

    The file is read anew by whatever takes it: a network is a name and how to read it.
    """

    def __init__(
        self,
        network: str | os.PathLike[str],
        *,
        mode: Literal["drivable", "walkable", "all"] | None = None,
        shape_points: bool = False,
        all_components: bool = False,
        coordinates: str | os.PathLike[str] | None = None,
        length_unit: float | None = None,
        edges: str | os.PathLike[str] | None = None,
    ) -> None:
        given = {
            "network": _text(network),
            "mode": mode,
            "shape-points": shape_points or None,
            "all-components": all_components or None,
            "coordinates": _text(coordinates),
            "length-unit": length_unit,
            "edges": _text(edges),
        }
        self.fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}

    @classmethod
    def from_graph(cls, graph: Any, file: str | os.PathLike[str]) -> Network:
        """Writes the edges of a networkx graph or a scipy.sparse matrix into a new CSV file: a public network has
        a file, whose hash statements name."""
        edges = (
            graph.edges()
            if hasattr(graph, "edges")
            else zip(*(part.tolist() for part in graph.tocoo().coords))
        )
        with open(file, "x", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(["source", "target"])
            writer.writerows((str(source), str(target)) for source, target in edges)
        return cls(file)

    def info(self) -> Any:
        """Its size and what reading it says: `fogline network info`."""
        from ._verbs import analyse

        return analyse("network", "info", {"network": self})

    def cut(self, output: str | os.PathLike[str], **fields: Any) -> Network:
        """A part of it as a file of its own: `fogline network cut`, with its fields `box`, `circle`, `polygon`, or
        `around` and `vertices`."""
        from ._verbs import analyse

        analyse("network", "cut", {"network": self, "output": output, **fields})
        rest = {name: value for name, value in self.fields.items() if name == "mode"}
        return type(self)(output, **rest)

    def __repr__(self) -> str:
        rest = "".join(
            f", {name.replace('-', '_')}={value!r}"
            for name, value in self.fields.items()
            if name != "network"
        )
        return f"Network({self.fields['network']!r}{rest})"


def _text(path: Any) -> str | None:
    if path is None:
        return None
    text = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(text, str):
        raise invalid("network", f"is a {type(path).__name__}", allowed="a file, or a name such as city:1")
    return text
