# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_stubs from the tables of fields.
from collections.abc import Callable, Sequence
from typing import Any, Literal

from ._ledger import Ledger
from ._network import Network
from ._results import Findings, Released
from ._types import Exact, File, Records, Text

def release(
    input: Records | None = None,
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    published: bool = False,
    epsilon_edges: Exact | None = None,
    epsilon_vertices: Exact | None = None,
    visits: int | None = None,
    two_sided: bool = False,
    no_direction: bool = False,
    epsilon_direction: Exact | None = None,
    every_vertex: bool = False,
    persons: Text | None = None,
    per_person: int | None = None,
    from_: Text | None = None,
    to: Text | None = None,
    stretch: Exact | None = None,
    area: Text | None = None,
    dataset: Text = 'default',
    output: Text | None = None,
    statement: Text | None = None,
    overwrite: bool = False,
    sign: Text | None = None,
    guarded: bool = False,
    seed: Text | None = None,
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
    passphrase: str | None = None,
) -> Released:
    """Releases one route: charged first, drawn second, with a statement of what is promised.

    As `fogline path release`; the fields are the same.

    Arguments:
        input: the private route, one vertex a line
        network: the network: CSV of roads source,target, OSM and others
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: OSM: every point of a road is a vertex, not junctions only
        published: the paper's layered graph; promises nothing
        epsilon_edges: hides the steps of the route; with `two_sided`, per label; above 0 to 40
        epsilon_vertices: hides a visit at an end of the route: stops are drawn, up to `visits`; above 0 to 40
        visits: PUBLIC: no vertex is visited more often (1; 2 with `epsilon_vertices`); not `two_sided`; from 1 above 0 to 8
        two_sided: labels that may lie: differential privacy for each of them
        no_direction: do not publish which end is the start
        epsilon_direction: with `two_sided`: publish it, with noise; above 0 to 40
        every_vertex: PUBLIC: the route visits every vertex
        persons: protect persons: declared, for a route names nobody
        per_person: promise for all routes of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        from_: PUBLIC: the route begins here
        to: PUBLIC: the route ends here
        stretch: only vertices v with |from v| + |v to| up to S |from to|; from 1 to 100
        area: only vertices in this PUBLIC box of degrees
        dataset: whose budget is spent: your name for the private data ('default')
        output: where the release goes; - for standard output
        statement: otherwise OUTPUT.statement.json; for - release.statement.json
        overwrite: replace existing files
        sign: sign the statement with this secret key
        guarded: for who may not see the records: pays for a refusal, and is not told why
        seed: fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
        passphrase: of the key that signs, if it is encrypted
    """

def plan(
    *,
    published: bool = False,
    epsilon_edges: Exact | None = None,
    epsilon_vertices: Exact | None = None,
    visits: int | None = None,
    two_sided: bool = False,
    no_direction: bool = False,
    epsilon_direction: Exact | None = None,
    every_vertex: bool = False,
    persons: Text | None = None,
    per_person: int | None = None,
    from_: Text | None = None,
    to: Text | None = None,
    stretch: Exact | None = None,
    area: Text | None = None,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    vertices: int | None = None,
    roads: int | None = None,
    runs: int = 200,
    dataset: Text = 'default',
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of one route would promise, cost and blur. Reads no private record, and charges nothing.

    As `fogline path plan`; the fields are the same.

    Arguments:
        published: the paper's layered graph, which promises nothing to be planned
        epsilon_edges: hides the steps of the route; with `two_sided`, per label; above 0 to 40
        epsilon_vertices: hides a visit at an end of the route: stops are drawn, up to `visits`; above 0 to 40
        visits: PUBLIC: no vertex is visited more often (1; 2 with `epsilon_vertices`); not `two_sided`; from 1 above 0 to 8
        two_sided: labels that may lie: differential privacy for each of them
        no_direction: do not publish which end is the start
        epsilon_direction: with `two_sided`: publish it, with noise; above 0 to 40
        every_vertex: PUBLIC: the route visits every vertex
        persons: protect persons: declared, for a route names nobody
        per_person: promise for all routes of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        from_: PUBLIC: the route begins here
        to: PUBLIC: the route ends here
        stretch: only vertices v with |from v| + |v to| up to S |from to|; from 1 to 100
        area: only vertices in this PUBLIC box of degrees
        network: what would be published of it; `two_sided`: routes invented on it
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: OSM: every point of a road is a vertex, not junctions only
        vertices: or on random networks of so many vertices; from 2 above 0 to 20,000
        roads: and so many roads (1.5 times the vertices); from 0 above 0
        runs: routes that are invented (200); from 2 to 1,000,000
        dataset: whose budget is spent: your name for the private data ('default')
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def recover(
    public: Records | None = None,
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    participant: Text | None = None,
    nodes: int = 20000,
    output: Text | None = None,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """A published route, read with the roads that one knows.

    As `fogline path recover`; the fields are the same.

    Arguments:
        public: the published route, .json or .json.gz
        network: the roads that you know: CSV source,target, OSM, ...
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: OSM: every point of a road is a vertex, not junctions only
        participant: read the place of this vertex alone
        nodes: of the search in a two-sided publication (20000); from 1 to 1,000,000,000
        output: write the route here, one vertex a line, as it was released
        overwrite: replace an existing file
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def audit(
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    epsilon_edges: Exact | None = None,
    epsilon_vertices: Exact | None = None,
    visits: int | None = None,
    two_sided: bool = False,
    no_direction: bool = False,
    epsilon_direction: Exact | None = None,
    every_vertex: bool = False,
    persons: Text | None = None,
    per_person: int | None = None,
    from_: Text | None = None,
    to: Text | None = None,
    stretch: Exact | None = None,
    area: Text | None = None,
    samples: int = 40000,
    routes: int = 200,
    outputs: int = 262144,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Whether a mechanism for one route keeps its promise.

    As `fogline path audit`; the fields are the same.

    Arguments:
        network: the network whose routes are tried: CSV source,target, OSM, ...
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: OSM: every point of a road is a vertex, not junctions only
        epsilon_edges: hides the steps of the route; with `two_sided`, per label; above 0 to 40
        epsilon_vertices: hides a visit at an end of the route: stops are drawn, up to `visits`; above 0 to 40
        visits: PUBLIC: no vertex is visited more often (1; 2 with `epsilon_vertices`); not `two_sided`; from 1 above 0 to 8
        two_sided: labels that may lie: differential privacy for each of them
        no_direction: do not publish which end is the start
        epsilon_direction: with `two_sided`: publish it, with noise; above 0 to 40
        every_vertex: PUBLIC: the route visits every vertex
        persons: protect persons: declared, for a route names nobody
        per_person: promise for all routes of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        from_: PUBLIC: the route begins here
        to: PUBLIC: the route ends here
        stretch: only vertices v with |from v| + |v to| up to S |from to|; from 1 to 100
        area: only vertices in this PUBLIC box of degrees
        samples: of the fit and of the falsifier, each input (40000); from 1,000 to 100,000,000
        routes: of the network that are enumerated, at most (200); from 1 to 1,000,000
        outputs: publications that are enumerated, at most (262144); from 2 to 4,194,304
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def measure(
    route: Records | None = None,
    public: Records | None = None,
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of one route is still good for. For the curator alone: exact figures of private records.

    As `fogline path measure`; the fields are the same.

    Arguments:
        route: the private route, as it was given to release
        public: what was published of it
        network: all roads: CSV source,target, OSM, ...
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: OSM: every point of a road is a vertex, not junctions only
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def attack(
    public: Records | None = None,
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    statement: Records | None = None,
    missing: Text | None = None,
    prior: float = 0.5,
    sweeps: int | None = None,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What somebody can learn from a release of one route.

    As `fogline path attack`; the fields are the same.

    Arguments:
        public: the published route, .json or .json.gz
        network: all roads: CSV source,target, OSM, ...
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: OSM: every point of a road is a vertex, not junctions only
        statement: of the release, if it is not beside it
        missing: the pair that the readers lack (each step of the route in turn)
        prior: one label: belief in a step before, above 0 and below 1 (0.5)
        sweeps: every vertex: length of the walks above 18 vertices (by size); from 10 above 0 to 1,000,000,000
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def draw(
    public: Records | None = None,
    *,
    pairs: bool = False,
    map: bool = False,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    route: bool = False,
    title: Text | None = None,
    output: Text | None = None,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """A picture of a published route.

    As `fogline path draw`; the fields are the same.

    Arguments:
        public: the published route, .json or .json.gz
        pairs: a grid of all pairs, whatever the size
        map: the vertices, with the candidates as lines
        network: with `map`: the roads that you know, and where vertices lie
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: OSM: every point of a road is a vertex, not junctions only
        route: with `map` and `network`: the route, as recovered
        title: above the picture
        output: SVG file; - for standard output
        overwrite: replace an existing file
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """
