# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_stubs from the tables of fields.
from collections.abc import Callable, Sequence
from typing import Any, Literal

from ._ledger import Ledger
from ._network import Network
from ._results import Findings, Released
from ._types import Exact, File, Records, Text

def city(
    *,
    seed: int = 1,
    people: int = 2000,
    output: Text = 'city',
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Made-up city data, to try things with.

    As `fogline sample city`; the fields are the same.

    Arguments:
        seed: another city for another number (1)
        people: people who drive that day (2000); from 1 to 1,000,000
        output: folder to write into, made if missing (city)
        overwrite: replace existing files
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def path(
    *,
    vertices: int | None = None,
    roads: int | None = None,
    cyclic: bool = False,
    seed: int = 1,
    network: Network | File | None = None,
    from_: Text | None = None,
    to: Text | None = None,
    output: Text = 'route.csv',
    net: Text = 'net.csv',
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Made-up path data, to try things with.

    As `fogline sample path`; the fields are the same.

    Arguments:
        vertices: how many vertices (8); from 2 above 0 to 10,000
        roads: how many roads (half as many again as vertices); from 1 above 0 to 49,995,000
        cyclic: the route visits one vertex twice
        seed: another sample for another number (1)
        network: file or specification of a road network
        from_: where the route starts
        to: where it ends
        output: CSV file of the route (route.csv)
        net: CSV file of the network (net.csv)
        overwrite: replace existing files
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def place(
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    all_components: bool = False,
    coordinates: Records | None = None,
    length_unit: float = 0.1,
    edges: Records | None = None,
    count: int = 100,
    seed: int = 1,
    output: Text | None = None,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Made-up place data, to try things with.

    As `fogline sample place`; the fields are the same.

    Arguments:
        network: OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: keep every OSM point, not junctions only
        all_components: keep parts not joined to the largest
        coordinates: DIMACS .co file, if not beside the .gr file
        length_unit: metres per unit of a DIMACS length (0.1); above 0 to 1,000,000, in m
        edges: CSV edges, if not beside the nodes
        count: how many (100); from 1 to 100,000,000
        seed: another sample for another number (1)
        output: CSV file; - for standard output
        overwrite: replace an existing file
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def stream(
    *,
    network: Network | File = 'city:1',
    steps: int = 100,
    walkers: int = 200,
    step_s: int = 180,
    seed: int = 1,
    output: Text | None = None,
    public: Text | None = None,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Made-up stream data, to try things with.

    As `fogline sample stream`; the fields are the same.

    Arguments:
        network: file or specification of the town (city:1)
        steps: positions of each walk (100); from 2 to 1,000,000
        walkers: walks of the public history (200); from 1 to 1,000,000
        step_s: seconds between two positions (180); from 1 to 86,400, in s
        seed: another sample for another number (1)
        output: CSV file of the walk; - for standard output
        public: CSV file of the public history
        overwrite: replace existing files
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def traces(
    *,
    people: int = 2000,
    interval: int = 15,
    seed: int = 1,
    output: Text | None = None,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Made-up traces data, to try things with.

    As `fogline sample traces`; the fields are the same.

    Arguments:
        people: people who drive that day (2000); from 1 to 1,000,000
        interval: seconds between the points of a trip (15); from 1 to 3,600, in s
        seed: another city and day for another number (1)
        output: CSV file; - for standard output
        overwrite: replace an existing file
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def weights(
    *,
    vertices: int = 1000,
    edges_per_vertex: int = 5,
    edges: int | None = None,
    range: Text = '100:600',
    seed: int = 1,
    output: Text | None = None,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Made-up weights data, to try things with.

    As `fogline sample weights`; the fields are the same.

    Arguments:
        vertices: how many vertices (1,000); from 2 to 50,000,000
        edges_per_vertex: edges that come with each new vertex (5); from 1 to 1,000
        edges: edges in all, where a few fewer are wanted: draws that repeat an edge are left out, not redrawn; from 1 above 0 to 50,000,000,000
        range: lowest and highest weight (100:600)
        seed: another sample for another number (1)
        output: CSV file; - for standard output
        overwrite: replace an existing file
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """
