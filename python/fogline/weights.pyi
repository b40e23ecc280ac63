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
    mechanism: Literal["blocks", "geometric", "staircase", "lap", "mb", "lap-ci", "mb-ci"] | None = None,
    published: bool = False,
    epsilon: Exact | None = None,
    unit: Literal["edge", "change", "trip"] = 'edge',
    most: Exact | None = None,
    range: Text | None = None,
    out_of_range: Literal["refuse", "clamp"] | None = None,
    step: Exact = '1',
    persons: Text | None = None,
    per_person: int | None = None,
    round: bool = False,
    positive: bool = False,
    prior: Records | None = None,
    prior_share: Exact = '1/20',
    k: int = 1,
    estimate: Literal["plain", "median", "mean"] | None = None,
    groups: Records = 'degrees',
    order: Records | None = None,
    directed: bool = False,
    dataset: Text = 'default',
    output: Text | None = None,
    statement: Text | None = None,
    overwrite: bool = False,
    sign: Text | None = None,
    guarded: bool = False,
    anyway: bool = False,
    format: Literal["csv", "edges", "tntp"] | None = None,
    columns: Text | None = None,
    seed: Text | None = None,
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
    passphrase: str | None = None,
) -> Released:
    """Releases the edge weights of a graph: charged first, drawn second, with a statement of what is promised.

    As `fogline weights release`; the fields are the same.

    Arguments:
        input: edges with private weights: CSV, edge list or TNTP
        mechanism: the best if not given; one of blocks, geometric, staircase, lap, mb, lap-ci, mb-ci
        published: allow a form of the paper that promises nothing: lap, mb, lap-ci, mb-ci
        epsilon: privacy parameter for one unit of protection; above 0 to 1,000
        unit: what is protected; edge if not given; one of edge, change, trip
        most: largest change of an edge (1); number of edges of a trip (no default); above 0
        range: PUBLIC range of the weights; LOW: without an end for change and trip
        out_of_range: what becomes of weights outside; one of refuse, clamp
        step: PUBLIC grid of the weights (1); above 0
        persons: protect persons: declared, for weights name nobody
        per_person: promise for all such units of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        round: round weights between grid points; the manual tells its cost
        positive: never release a weight of 0
        prior: for blocks: flat, noisy, or a PUBLIC file weight,probability
        prior_share: part of epsilon that a noisy prior gets (1/20); above 0 below 1
        k: mb, mb-ci: groups of equal size it takes to merge (1); from 1 above 0 to 1,000,000
        estimate: made of the drawn numbers; the manual tells more; one of plain, median, mean
        groups: for estimates: degrees, none, or a PUBLIC file of groups (degrees)
        order: PUBLIC order that weights follow: ranks, pairs of edges, or a .tntp
        directed: a,b and b,a are two edges (TNTP: always)
        dataset: whose budget is spent: your name for the private data ('default')
        output: where the release goes; - for standard output
        statement: otherwise OUTPUT.statement.json; for - release.statement.json
        overwrite: replace existing files
        sign: sign the statement with this secret key
        guarded: for who may not see the records: pays for a refusal, and is not told why
        anyway: charge even for what is no better than a guess that costs nothing
        format: of the input, whatever its suffix; one of csv, edges, tntp
        columns: which columns are what, such as trip=ride,time=none
        seed: fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
        passphrase: of the key that signs, if it is encrypted
    """

def distances(
    input: Records | None = None,
    *,
    method: Literal["auto", "edges", "noise", "tree", "separators"] = 'auto',
    epsilon: Exact | None = None,
    unit: Literal["edge", "change", "trip"] = 'change',
    most: Exact | None = None,
    range: Text | None = None,
    out_of_range: Literal["refuse", "clamp"] | None = None,
    step: Exact = '1',
    persons: Text | None = None,
    per_person: int | None = None,
    round: bool = False,
    directed: bool = False,
    columns: Text | None = None,
    from_: Sequence[Text] | None = None,
    pairs: Records | None = None,
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
    """Releases the shortest-path distances of a graph instead of its weights.

    As `fogline weights distances`; the fields are the same.

    Arguments:
        input: private weights: CSV source,target,weight, edge list or TNTP
        method: how distances are released (auto); one of auto, edges, noise, tree, separators
        epsilon: privacy parameter for one unit of protection; above 0 to 1,000
        unit: what is protected: change (of an edge, by `most`; the default), edge (its whole weight), trip; one of edge, change, trip
        most: largest change of an edge (1); number of edges of a trip (no default); above 0
        range: PUBLIC range of the weights (0: without an end); a narrower one, such as 1:, helps
        out_of_range: what becomes of weights outside; one of refuse, clamp
        step: PUBLIC grid of the weights (1); above 0
        persons: protect persons: declared, for weights name nobody
        per_person: promise for all such units of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        round: round weights between grid points, instead of refusing them
        directed: edges lead one way only (TNTP: always)
        columns: which columns are what, such as trip=ride,time=none
        from_: only from this vertex; may be given several times
        pairs: only these pairs: a PUBLIC CSV file source,target
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
    mechanism: Literal["blocks", "geometric", "staircase", "lap", "mb", "lap-ci", "mb-ci"] | None = None,
    published: bool = False,
    epsilon: Exact | None = None,
    unit: Literal["edge", "change", "trip"] = 'edge',
    most: Exact | None = None,
    range: Text | None = None,
    out_of_range: Literal["refuse", "clamp"] | None = None,
    step: Exact = '1',
    persons: Text | None = None,
    per_person: int | None = None,
    round: bool = False,
    positive: bool = False,
    prior: Records | None = None,
    prior_share: Exact = '1/20',
    k: int = 1,
    estimate: Literal["plain", "median", "mean"] | None = None,
    groups: Records = 'degrees',
    order: Records | None = None,
    directed: bool = False,
    dataset: Text = 'default',
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of the edge weights of a graph would promise, cost and blur. Reads no private record, and charges nothing.

    As `fogline weights plan`; the fields are the same.

    Arguments:
        mechanism: the best if not given; one of blocks, geometric, staircase, lap, mb, lap-ci, mb-ci
        published: allow a form of the paper that promises nothing: lap, mb, lap-ci, mb-ci
        epsilon: privacy parameter for one unit of protection; above 0 to 1,000
        unit: what is protected; edge if not given; one of edge, change, trip
        most: largest change of an edge (1); number of edges of a trip (no default); above 0
        range: PUBLIC range of the weights; LOW: without an end for change and trip
        out_of_range: what becomes of weights outside; one of refuse, clamp
        step: PUBLIC grid of the weights (1); above 0
        persons: protect persons: declared, for weights name nobody
        per_person: promise for all such units of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        round: round weights between grid points; the manual tells its cost
        positive: never release a weight of 0
        prior: for blocks: flat, noisy, or a PUBLIC file weight,probability
        prior_share: part of epsilon that a noisy prior gets (1/20); above 0 below 1
        k: mb, mb-ci: groups of equal size it takes to merge (1); from 1 above 0 to 1,000,000
        estimate: made of the drawn numbers; the manual tells more; one of plain, median, mean
        groups: for estimates: degrees, none, or a PUBLIC file of groups (degrees)
        order: PUBLIC order that weights follow: ranks, pairs of edges, or a .tntp
        directed: a,b and b,a are two edges (TNTP: always)
        dataset: whose budget is spent: your name for the private data ('default')
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def audit(
    *,
    mechanism: Literal["blocks", "geometric", "staircase", "lap", "mb", "lap-ci", "mb-ci"] | None = None,
    published: bool = False,
    epsilon: Exact | None = None,
    unit: Literal["edge", "change", "trip"] = 'edge',
    most: Exact | None = None,
    range: Text | None = None,
    out_of_range: Literal["refuse", "clamp"] | None = None,
    step: Exact = '1',
    persons: Text | None = None,
    per_person: int | None = None,
    round: bool = False,
    positive: bool = False,
    prior: Records | None = None,
    prior_share: Exact = '1/20',
    k: int = 1,
    samples: int | None = None,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Whether a mechanism for the edge weights of a graph keeps its promise.

    As `fogline weights audit`; the fields are the same.

    Arguments:
        mechanism: the best if not given; one of blocks, geometric, staircase, lap, mb, lap-ci, mb-ci
        published: allow a form of the paper that promises nothing: lap, mb, lap-ci, mb-ci
        epsilon: privacy parameter for one unit of protection; above 0 to 1,000
        unit: what is protected; edge if not given; one of edge, change, trip
        most: largest change of an edge (1); number of edges of a trip (no default); above 0
        range: PUBLIC range of the weights; LOW: without an end for change and trip
        out_of_range: what becomes of weights outside; one of refuse, clamp
        step: PUBLIC grid of the weights (1); above 0
        persons: protect persons: declared, for weights name nobody
        per_person: promise for all such units of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        round: round weights between grid points; the manual tells its cost
        positive: never release a weight of 0
        prior: for blocks: flat, noisy, or a PUBLIC file weight,probability
        prior_share: part of epsilon that a noisy prior gets (1/20); above 0 below 1
        k: mb, mb-ci: groups of equal size it takes to merge (1); from 1 above 0 to 1,000,000
        samples: draws of each quarter of the range (100000); published: of each graph (200000); from 1,000 above 0 to 100,000,000
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def measure(
    graph: Records | None = None,
    released: Records | None = None,
    *,
    directed: bool = False,
    sources: int | None = None,
    seed: int = 1,
    columns: Text | None = None,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of the edge weights of a graph is still good for. For the curator alone: exact figures of private records.

    As `fogline weights measure`; the fields are the same.

    Arguments:
        graph: the private graph: CSV source,target,weight, edge list, TNTP
        released: what was released of it
        directed: edges lead one way
        sources: count paths from N vertices chosen evenly; without it, from all; from 0 above 0
        seed: of that choice (1)
        columns: which columns are what, such as trip=ride,time=none
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def attack(
    *,
    mechanism: Literal["blocks", "geometric", "staircase", "lap", "mb", "lap-ci", "mb-ci"] | None = None,
    published: bool = False,
    epsilon: Exact | None = None,
    unit: Literal["edge", "change", "trip"] = 'edge',
    most: Exact | None = None,
    range: Text | None = None,
    out_of_range: Literal["refuse", "clamp"] | None = None,
    step: Exact = '1',
    persons: Text | None = None,
    per_person: int | None = None,
    round: bool = False,
    positive: bool = False,
    prior: Records | None = None,
    prior_share: Exact = '1/20',
    k: int = 1,
    levels: int = 20,
    releases: int = 400,
    seed: int = 1,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What somebody can learn from a release of the edge weights of a graph.

    As `fogline weights attack`; the fields are the same.

    Arguments:
        mechanism: the best if not given; one of blocks, geometric, staircase, lap, mb, lap-ci, mb-ci
        published: allow a form of the paper that promises nothing: lap, mb, lap-ci, mb-ci
        epsilon: privacy parameter for one unit of protection; above 0 to 1,000
        unit: what is protected; edge if not given; one of edge, change, trip
        most: largest change of an edge (1); number of edges of a trip (no default); above 0
        range: PUBLIC range of the weights; LOW: without an end for change and trip
        out_of_range: what becomes of weights outside; one of refuse, clamp
        step: PUBLIC grid of the weights (1); above 0
        persons: protect persons: declared, for weights name nobody
        per_person: promise for all such units of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        round: round weights between grid points; the manual tells its cost
        positive: never release a weight of 0
        prior: for blocks: flat, noisy, or a PUBLIC file weight,probability
        prior_share: part of epsilon that a noisy prior gets (1/20); above 0 below 1
        k: mb, mb-ci: groups of equal size it takes to merge (1); from 1 above 0 to 1,000,000
        levels: weights an edge can have, evenly over the range (20); from 2 to 1,000
        releases: releases drawn (400); from 1 to 1,000,000
        seed: another draw for another number (1)
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """
