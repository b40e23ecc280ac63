# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_stubs from the tables of fields.
from collections.abc import Callable, Sequence
from typing import Any, Literal

from ._live import Live as Live
from ._mechanism import Mechanism as Mechanism
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
    all_components: bool = False,
    coordinates: Records | None = None,
    length_unit: float = 0.1,
    edges: Records | None = None,
    spacing: Text | None = None,
    kernel: Records | None = None,
    mechanism: Records = 'auto',
    epsilon: Exact | None = None,
    range: Records | None = None,
    prior: Records | None = None,
    remap: bool = False,
    exact_error: bool = False,
    no_cache: bool = False,
    max_snap: float = 500.0,
    too_far: Literal["refuse", "leave-out", "nearest"] | None = None,
    persons: Records | None = None,
    per_person: int | None = None,
    too_many: Literal["refuse", "leave-out"] | None = None,
    reports_per_person: int | None = None,
    keep: Text | None = None,
    dataset: Text = 'default',
    output: Text | None = None,
    statement: Text | None = None,
    overwrite: bool = False,
    sign: Text | None = None,
    guarded: bool = False,
    anyway: bool = False,
    format: Literal["csv", "geojson", "gpx"] | None = None,
    live: bool = False,
    csv_header: Text | None = None,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    seed: Text | None = None,
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
    passphrase: str | None = None,
) -> Released:
    """Releases positions on a road network: charged first, drawn second, with a statement of what is promised.

    As `fogline place release`; the fields are the same.

    Arguments:
        input: private positions: CSV, GeoJSON or GPX
        network: OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: keep every OSM point, not junctions only
        all_components: keep parts not joined to the largest
        coordinates: DIMACS .co file, if not beside the .gr file
        length_unit: metres per unit of a DIMACS length (0.1); above 0 to 1,000,000, in m
        edges: CSV edges, if not beside the nodes
        spacing: longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto), in m
        kernel: a prepared mechanism; `network`, if given too, is compared with its map
        mechanism: auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
        epsilon: privacy parameter per metre, such as 0.01; no default; from 1e-05 to 1,000, in 1/m
        range: allowed outputs, one vertex a line; otherwise every vertex
        prior: how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
        remap: move each output to the best guess under the prior; costs no budget
        exact_error: work out the expected error over every vertex, however long it takes
        no_cache: neither take a mechanism from the cache nor keep it there
        max_snap: farther from the network is too far (500); above 0 to 10,000,000, in m
        too_far: and what becomes of such points; one of refuse, leave-out, nearest
        persons: protect persons, told apart by a column, a FILE of names, or not: declared
        per_person: promise for all reports of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        too_many: what becomes of reports beyond; one of refuse, leave-out
        reports_per_person: old spelling of `persons` column `per_person` K; from 1 above 0 to 1,000,000
        keep: input columns to copy UNPROTECTED: traj_id, user_id, t
        dataset: whose budget is spent: your name for the private data ('default')
        output: where the release goes; - for standard output
        statement: otherwise OUTPUT.statement.json; for - release.statement.json
        overwrite: replace existing files
        sign: sign the statement with this secret key
        guarded: for who may not see the records: pays for a refusal, and is not told why
        anyway: charge even for what is no better than a guess that costs nothing
        format: of the input, whatever its suffix; one of csv, geojson, gpx
        live: answer each line of CSV as it comes, each charged by itself, from - to -
        csv_header: of a CSV file without one: user_id,t,lon,lat
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        seed: fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
        passphrase: of the key that signs, if it is encrypted
    """

def plan(
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    all_components: bool = False,
    coordinates: Records | None = None,
    length_unit: float = 0.1,
    edges: Records | None = None,
    spacing: Text | None = None,
    kernel: Records | None = None,
    mechanism: Records = 'auto',
    epsilon: Text | None = None,
    range: Records | None = None,
    prior: Records | None = None,
    remap: bool = False,
    exact_error: bool = False,
    no_cache: bool = False,
    target: Text | None = None,
    compare: bool = False,
    max_snap: float = 500.0,
    too_far: Literal["refuse", "leave-out", "nearest"] | None = None,
    persons: Records | None = None,
    per_person: int | None = None,
    too_many: Literal["refuse", "leave-out"] | None = None,
    reports_per_person: int | None = None,
    keep: Text | None = None,
    dataset: Text = 'default',
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of positions on a road network would promise, cost and blur. Reads no private record, and charges nothing.

    As `fogline place plan`; the fields are the same.

    Arguments:
        network: OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: keep every OSM point, not junctions only
        all_components: keep parts not joined to the largest
        coordinates: DIMACS .co file, if not beside the .gr file
        length_unit: metres per unit of a DIMACS length (0.1); above 0 to 1,000,000, in m
        edges: CSV edges, if not beside the nodes
        spacing: longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto), in m
        kernel: a prepared mechanism; `network`, if given too, is compared with its map
        mechanism: auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto); or several: gem,theirs.npz
        epsilon: privacy parameter per metre, such as 0.01, or several: 0.005,0.01
        range: allowed outputs, one vertex a line; otherwise every vertex
        prior: how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
        remap: move each output to the best guess under the prior; costs no budget
        exact_error: work out the expected error over every vertex, however long it takes
        no_cache: neither take a mechanism from the cache nor keep it there
        target: in place of epsilon: find the one that moves positions so far, in m
        compare: all mechanisms that fit this map, side by side, or those that `mechanism` names
        max_snap: farther from the network is too far (500); above 0 to 10,000,000, in m
        too_far: and what becomes of such points; one of refuse, leave-out, nearest
        persons: protect persons, told apart by a column, a FILE of names, or not: declared
        per_person: promise for all reports of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        too_many: what becomes of reports beyond; one of refuse, leave-out
        reports_per_person: old spelling of `persons` column `per_person` K; from 1 above 0 to 1,000,000
        keep: input columns to copy UNPROTECTED: traj_id, user_id, t
        dataset: whose budget is spent: your name for the private data ('default')
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def prepare(
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    all_components: bool = False,
    coordinates: Records | None = None,
    length_unit: float = 0.1,
    edges: Records | None = None,
    spacing: Text | None = None,
    mechanism: Records = 'auto',
    epsilon: Exact | None = None,
    range: Records | None = None,
    prior: Records | None = None,
    remap: bool = False,
    exact_error: bool = False,
    no_cache: bool = False,
    output: Text | None = None,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """A mechanism that is built once, and written with its map.

    As `fogline place prepare`; the fields are the same.

    Arguments:
        network: OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: keep every OSM point, not junctions only
        all_components: keep parts not joined to the largest
        coordinates: DIMACS .co file, if not beside the .gr file
        length_unit: metres per unit of a DIMACS length (0.1); above 0 to 1,000,000, in m
        edges: CSV edges, if not beside the nodes
        spacing: longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto), in m
        mechanism: auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
        epsilon: privacy parameter per metre, such as 0.01; no default; from 1e-05 to 1,000, in 1/m
        range: allowed outputs, one vertex a line; otherwise every vertex
        prior: how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
        remap: move each output to the best guess under the prior; costs no budget
        exact_error: work out the expected error over every vertex, however long it takes
        no_cache: neither take a mechanism from the cache nor keep it there
        output: the prepared mechanism, such as city.kernel
        overwrite: replace an existing file
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def kernel(
    kernel: Records | None = None,
    *,
    matrix: Text | None = None,
    dense: bool = False,
    weights: bool = False,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """The table of a mechanism, for other programs.

    As `fogline place kernel`; the fields are the same.

    Arguments:
        kernel: a prepared mechanism
        matrix: write its table: .npz for NumPy and SciPy, or .csv
        dense: every output of every vertex, not only those that stand out
        weights: the exact integers that releases are drawn from, not probabilities
        overwrite: replace the table if it is there
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def audit(
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    all_components: bool = False,
    coordinates: Records | None = None,
    length_unit: float = 0.1,
    edges: Records | None = None,
    spacing: Text | None = None,
    kernel: Records | None = None,
    mechanism: Records = 'auto',
    epsilon: Exact | None = None,
    range: Records | None = None,
    prior: Records | None = None,
    remap: bool = False,
    exact_error: bool = False,
    no_cache: bool = False,
    samples: int = 20000,
    comparisons: int = 200000000,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Whether a mechanism for positions on a road network keeps its promise.

    As `fogline place audit`; the fields are the same.

    Arguments:
        network: OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: keep every OSM point, not junctions only
        all_components: keep parts not joined to the largest
        coordinates: DIMACS .co file, if not beside the .gr file
        length_unit: metres per unit of a DIMACS length (0.1); above 0 to 1,000,000, in m
        edges: CSV edges, if not beside the nodes
        spacing: longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto), in m
        kernel: a prepared mechanism; `network`, if given too, is compared with its map
        mechanism: auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
        epsilon: privacy parameter per metre, such as 0.01; no default; from 1e-05 to 1,000, in 1/m
        range: allowed outputs, one vertex a line; otherwise every vertex
        prior: how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
        remap: move each output to the best guess under the prior; costs no budget
        exact_error: work out the expected error over every vertex, however long it takes
        no_cache: neither take a mechanism from the cache nor keep it there
        samples: releases drawn from each of three vertices (20000); from 1,000 to 100,000,000
        comparisons: roads times outputs to compare at most (200000000); beyond, rule and sample; from 1
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def measure(
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    all_components: bool = False,
    coordinates: Records | None = None,
    length_unit: float = 0.1,
    edges: Records | None = None,
    spacing: Text | None = None,
    kernel: Records | None = None,
    mechanism: Records = 'auto',
    epsilon: Exact | None = None,
    range: Records | None = None,
    prior: Records | None = None,
    remap: bool = False,
    exact_error: bool = False,
    no_cache: bool = False,
    metric: Literal["road", "euclidean"] = 'road',
    truth: Records | None = None,
    released: Records | None = None,
    max_snap: float = 500.0,
    too_far: Literal["refuse", "leave-out", "nearest"] = 'refuse',
    columns: Text | None = None,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of positions on a road network is still good for. For the curator alone: exact figures of private records.

    As `fogline place measure`; the fields are the same.

    Arguments:
        network: OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: keep every OSM point, not junctions only
        all_components: keep parts not joined to the largest
        coordinates: DIMACS .co file, if not beside the .gr file
        length_unit: metres per unit of a DIMACS length (0.1); above 0 to 1,000,000, in m
        edges: CSV edges, if not beside the nodes
        spacing: longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto), in m
        kernel: a prepared mechanism; `network`, if given too, is compared with its map
        mechanism: auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
        epsilon: privacy parameter per metre, such as 0.01; no default; from 1e-05 to 1,000, in 1/m
        range: allowed outputs, one vertex a line; otherwise every vertex
        prior: how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
        remap: move each output to the best guess under the prior; costs no budget
        exact_error: work out the expected error over every vertex, however long it takes
        no_cache: neither take a mechanism from the cache nor keep it there
        metric: which distance the main JSON fields are in; one of road, euclidean
        truth: private positions that were released, for the curator
        released: what they were released as
        max_snap: as in the release (500); above 0 to 10,000,000, in m
        too_far: as in the release; one of refuse, leave-out, nearest
        columns: which columns are what, such as trip=ride,time=none
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def attack(
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    all_components: bool = False,
    coordinates: Records | None = None,
    length_unit: float = 0.1,
    edges: Records | None = None,
    spacing: Text | None = None,
    kernel: Records | None = None,
    mechanism: Records = 'auto',
    epsilon: Exact | None = None,
    range: Records | None = None,
    prior: Records | None = None,
    remap: bool = False,
    exact_error: bool = False,
    no_cache: bool = False,
    metric: Literal["road", "euclidean"] = 'road',
    informed_radius: float = 200.0,
    reports: Text = '1,2,5,10,20,50',
    answers: Records | None = None,
    samples: int = 1000,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What somebody can learn from a release of positions on a road network.

    As `fogline place attack`; the fields are the same.

    Arguments:
        network: OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: keep every OSM point, not junctions only
        all_components: keep parts not joined to the largest
        coordinates: DIMACS .co file, if not beside the .gr file
        length_unit: metres per unit of a DIMACS length (0.1); above 0 to 1,000,000, in m
        edges: CSV edges, if not beside the nodes
        spacing: longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto), in m
        kernel: a prepared mechanism; `network`, if given too, is compared with its map
        mechanism: auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
        epsilon: privacy parameter per metre, such as 0.01; no default; from 1e-05 to 1,000, in 1/m
        range: allowed outputs, one vertex a line; otherwise every vertex
        prior: how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
        remap: move each output to the best guess under the prior; costs no budget
        exact_error: work out the expected error over every vertex, however long it takes
        no_cache: neither take a mechanism from the cache nor keep it there
        metric: how guesses are measured; one of road, euclidean
        informed_radius: what the informed attacker knows beforehand (200); above 0 to 10,000,000, in m
        reports: numbers of repeated reports (1,2,5,10,20,50)
        answers: answers that were recorded, CSV with subject and vertex, to be added up as well
        samples: people drawn for the repeated reports (1000); from 10 to 10,000,000
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def optimise(
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    all_components: bool = False,
    coordinates: Records | None = None,
    length_unit: float = 0.1,
    edges: Records | None = None,
    spacing: Text | None = None,
    epsilon: Exact | None = None,
    prior: Records | None = None,
    most_q_loss: Exact | None = None,
    output: Text | None = None,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """The outputs of GEM that serve a public prior best.

    As `fogline place optimise`; the fields are the same.

    Arguments:
        network: OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: keep every OSM point, not junctions only
        all_components: keep parts not joined to the largest
        coordinates: DIMACS .co file, if not beside the .gr file
        length_unit: metres per unit of a DIMACS length (0.1); above 0 to 1,000,000, in m
        edges: CSV edges, if not beside the nodes
        spacing: longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto), in m
        epsilon: privacy parameter per metre, such as 0.01; no default; from 1e-05 to 1,000, in 1/m
        prior: how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
        most_q_loss: limit on Q_loss; otherwise that of GEM with every vertex; from 0 to 1,000,000,000, in m
        output: the vertices kept, one a line; - for standard output
        overwrite: replace an existing file
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def live(
    *,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    shape_points: bool = False,
    all_components: bool = False,
    coordinates: Records | None = None,
    length_unit: float = 0.1,
    edges: Records | None = None,
    spacing: Text | None = None,
    kernel: Records | None = None,
    mechanism: Records = 'auto',
    epsilon: Exact | None = None,
    range: Records | None = None,
    prior: Records | None = None,
    remap: bool = False,
    exact_error: bool = False,
    no_cache: bool = False,
    max_snap: float = 500.0,
    too_far: Literal["refuse", "leave-out", "nearest"] | None = None,
    persons: Records | None = None,
    per_person: int | None = None,
    too_many: Literal["refuse", "leave-out"] | None = None,
    reports_per_person: int | None = None,
    keep: Text | None = None,
    dataset: Text = 'default',
    output: Text | None = None,
    statement: Text | None = None,
    overwrite: bool = False,
    sign: Text | None = None,
    guarded: bool = False,
    anyway: bool = False,
    format: Literal["csv", "geojson", "gpx"] | None = None,
    csv_header: Text | None = None,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    seed: Text | None = None,
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    threads: int = 0,
    passphrase: str | None = None,
) -> Live:
    """Answers positions on a road network one at a time, as they come: docs/python.md.

    As `fogline place release`; the fields are the same.

    Arguments:
        network: OSM, DIMACS, CSV, or lattice:RxC:M, line:N:M, city:N, valley:N
        mode: roads to keep from OSM; one of drivable, walkable, all
        shape_points: keep every OSM point, not junctions only
        all_components: keep parts not joined to the largest
        coordinates: DIMACS .co file, if not beside the .gr file
        length_unit: metres per unit of a DIMACS length (0.1); above 0 to 1,000,000, in m
        edges: CSV edges, if not beside the nodes
        spacing: longest road between vertices, none, or auto: 0.75 / epsilon (OSM: auto), in m
        kernel: a prepared mechanism; `network`, if given too, is compared with its map
        mechanism: auto, gem, tight, optimal, plmg, plm, or a table in .npz or .csv (auto)
        epsilon: privacy parameter per metre, such as 0.01; no default; from 1e-05 to 1,000, in 1/m
        range: allowed outputs, one vertex a line; otherwise every vertex
        prior: how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike
        remap: move each output to the best guess under the prior; costs no budget
        exact_error: work out the expected error over every vertex, however long it takes
        no_cache: neither take a mechanism from the cache nor keep it there
        max_snap: farther from the network is too far (500); above 0 to 10,000,000, in m
        too_far: and what becomes of such points; one of refuse, leave-out, nearest
        persons: protect persons, told apart by a column, a FILE of names, or not: declared
        per_person: promise for all reports of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        too_many: what becomes of reports beyond; one of refuse, leave-out
        reports_per_person: old spelling of `persons` column `per_person` K; from 1 above 0 to 1,000,000
        keep: input columns to copy UNPROTECTED: traj_id, user_id, t
        dataset: whose budget is spent: your name for the private data ('default')
        output: where the release goes; - for standard output
        statement: otherwise OUTPUT.statement.json; for - release.statement.json
        overwrite: replace existing files
        sign: sign the statement with this secret key
        guarded: for who may not see the records: pays for a refusal, and is not told why
        anyway: charge even for what is no better than a guess that costs nothing
        format: of the input, whatever its suffix; one of csv, geojson, gpx
        csv_header: of a CSV file without one: user_id,t,lon,lat
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        seed: fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        threads: at most so many; 0: all cores
        passphrase: of the key that signs, if it is encrypted
    """
