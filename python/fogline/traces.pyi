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
    epsilon: Exact | None = None,
    area: Text | None = None,
    persons: Records | None = None,
    per_person: int | None = None,
    unit: Literal["trip", "user"] = 'trip',
    trips_per_user: int | None = None,
    trips: int | None = None,
    trips_to_make: int | None = None,
    max_length_km: float | None = None,
    max_duration: int = 86400,
    no_times: bool = False,
    plane: bool = False,
    users: Records | None = None,
    format: Literal["csv", "geojson", "gpx", "dat"] | None = None,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    sort: bool = False,
    constraints: Records | None = None,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    mechanism: Literal["synthesis", "dpe"] = 'synthesis',
    published: bool = False,
    dataset: Text = 'default',
    output: Text | None = None,
    statement: Text | None = None,
    overwrite: bool = False,
    sign: Text | None = None,
    guarded: bool = False,
    anyway: bool = False,
    seed: Text | None = None,
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
    passphrase: str | None = None,
) -> Released:
    """Releases a set of trips: charged first, drawn second, with a statement of what is promised.

    As `fogline traces release`; the fields are the same.

    Arguments:
        input: the private trips: CSV, GeoJSON, GPX or .dat
        epsilon: privacy parameter of the whole release, such as 1; no default; from 0.001 to 1,000
        area: PUBLIC box in which trips are told: degrees, or metres with `plane`
        persons: protect persons, told apart by a column, a FILE of names, or not: declared
        per_person: promise for all trips of a person, at most K (declared: 1); from 1 above 0 to 1,000
        unit: what is protected: one trip (trip); old: user, for `persons`; one of trip, user
        trips_per_user: with `unit` user; old spelling of `persons` column `per_person` K; from 1 above 0 to 1,000
        trips: PUBLIC: how many trips there are; otherwise that is counted with noise; from 0 above 0
        trips_to_make: how many to release (as many as counted, to 2 million; or as declared); from 1 above 0 to 100,000,000
        max_length_km: PUBLIC: trips are cut off here (8 times the area's larger side); from 0.001 above 0 to 100,000, in km
        max_duration: PUBLIC: trips are cut off after so many seconds (86400); from 1 above 0 to 10,000,000, in s
        no_times: release no times
        plane: positions and area are metres on a plane; .dat files always are
        users: old spelling of `persons` FILE: one user a line, in the order of the trips
        format: of TRIPS, whatever its suffix; one of csv, geojson, gpx, dat
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        sort: put in order of time what is not, instead of refusing it
        constraints: PUBLIC rules as GeoJSON: closed areas, bounds, speeds, one-ways, stops
        network: PUBLIC roads that trips keep to: OSM, CSV, ..., city:1
        mode: roads to keep from OSM; one of drivable, walkable, all
        mechanism: synthesis, or the paper's dpe; one of synthesis, dpe
        published: with dpe: the paper's form, which promises nothing
        dataset: whose budget is spent: your name for the private data ('default')
        output: where the release goes; - for standard output
        statement: otherwise OUTPUT.statement.json; for - release.statement.json
        overwrite: replace existing files
        sign: sign the statement with this secret key
        guarded: for who may not see the records: pays for a refusal, and is not told why
        anyway: charge even for what is no better than a guess that costs nothing
        seed: fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
        passphrase: of the key that signs, if it is encrypted
    """

def plan(
    *,
    epsilon: Exact | None = None,
    area: Text | None = None,
    persons: Records | None = None,
    per_person: int | None = None,
    unit: Literal["trip", "user"] = 'trip',
    trips_per_user: int | None = None,
    trips: int | None = None,
    trips_to_make: int | None = None,
    max_length_km: float | None = None,
    max_duration: int = 86400,
    no_times: bool = False,
    plane: bool = False,
    constraints: Records | None = None,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    mechanism: Literal["synthesis", "dpe"] = 'synthesis',
    published: bool = False,
    expect: int = 10000,
    dataset: Text = 'default',
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of a set of trips would promise, cost and blur. Reads no private record, and charges nothing.

    As `fogline traces plan`; the fields are the same.

    Arguments:
        epsilon: privacy parameter of the whole release, such as 1; no default; from 0.001 to 1,000
        area: PUBLIC box in which trips are told: degrees, or metres with `plane`
        persons: protect persons, told apart by a column, a FILE of names, or not: declared
        per_person: promise for all trips of a person, at most K (declared: 1); from 1 above 0 to 1,000
        unit: what is protected: one trip (trip); old: user, for `persons`; one of trip, user
        trips_per_user: with `unit` user; old spelling of `persons` column `per_person` K; from 1 above 0 to 1,000
        trips: PUBLIC: how many trips there are; otherwise that is counted with noise; from 0 above 0
        trips_to_make: how many to release (as many as counted, to 2 million; or as declared); from 1 above 0 to 100,000,000
        max_length_km: PUBLIC: trips are cut off here (8 times the area's larger side); from 0.001 above 0 to 100,000, in km
        max_duration: PUBLIC: trips are cut off after so many seconds (86400); from 1 above 0 to 10,000,000, in s
        no_times: release no times
        plane: positions and area are metres on a plane; .dat files always are
        constraints: PUBLIC rules as GeoJSON: closed areas, bounds, speeds, one-ways, stops
        network: PUBLIC roads that trips keep to: OSM, CSV, ..., city:1
        mode: roads to keep from OSM; one of drivable, walkable, all
        mechanism: synthesis, or the paper's dpe; one of synthesis, dpe
        published: with dpe: the paper's form, which promises nothing
        expect: about how many trips there are; a guess, and not published (10000); from 1 to 1,000,000,000
        dataset: whose budget is spent: your name for the private data ('default')
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def audit(
    *,
    epsilon: Exact | None = None,
    area: Text | None = None,
    persons: Records | None = None,
    per_person: int | None = None,
    unit: Literal["trip", "user"] = 'trip',
    trips_per_user: int | None = None,
    trips: int | None = None,
    trips_to_make: int | None = None,
    max_length_km: float | None = None,
    max_duration: int = 86400,
    no_times: bool = False,
    plane: bool = False,
    constraints: Records | None = None,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    runs: int = 3,
    noise_runs: int = 10,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Whether a mechanism for a set of trips keeps its promise.

    As `fogline traces audit`; the fields are the same.

    Arguments:
        epsilon: privacy parameter of the whole release, such as 1; no default; from 0.001 to 1,000
        area: PUBLIC box in which trips are told: degrees, or metres with `plane`
        persons: protect persons, told apart by a column, a FILE of names, or not: declared
        per_person: promise for all trips of a person, at most K (declared: 1); from 1 above 0 to 1,000
        unit: what is protected: one trip (trip); old: user, for `persons`; one of trip, user
        trips_per_user: with `unit` user; old spelling of `persons` column `per_person` K; from 1 above 0 to 1,000
        trips: PUBLIC: how many trips there are; otherwise that is counted with noise; from 0 above 0
        trips_to_make: how many to release (as many as counted, to 2 million; or as declared); from 1 above 0 to 100,000,000
        max_length_km: PUBLIC: trips are cut off here (8 times the area's larger side); from 0.001 above 0 to 100,000, in km
        max_duration: PUBLIC: trips are cut off after so many seconds (86400); from 1 above 0 to 10,000,000, in s
        no_times: release no times
        plane: positions and area are metres on a plane; .dat files always are
        constraints: PUBLIC rules as GeoJSON: closed areas, bounds, speeds, one-ways, stops
        network: PUBLIC roads that trips keep to: OSM, CSV, ..., city:1
        mode: roads to keep from OSM; one of drivable, walkable, all
        runs: replays of each pair of neighbours (3); from 1 to 10,000
        noise_runs: releases whose noise is looked at (10); from 1 to 10,000
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def measure(
    truth: Records | None = None,
    synthetic: Records | None = None,
    *,
    area: Text | None = None,
    statement: Records | None = None,
    plane: bool = False,
    queries: int = 200,
    query_share: Exact = '1/3',
    seed: int = 7,
    network: Network | File | None = None,
    mode: Literal["drivable", "walkable", "all"] = 'drivable',
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    sort: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of a set of trips is still good for. For the curator alone: exact figures of private records.

    As `fogline traces measure`; the fields are the same.

    Arguments:
        truth: the private trips: CSV, GeoJSON, GPX, .dat
        synthetic: the synthetic ones
        area: area to divide (that of the statement), or the word trips: their box
        statement: of SYNTHETIC, if it is not beside it: declares the area
        plane: positions and area are metres on a plane; .dat files always are
        queries: discs (200); from 1 to 100,000
        query_share: radius of a disc over the larger side (1/3); above 0 to 1
        seed: of the discs (7)
        network: tell which trips a car could have driven on it
        mode: roads to keep from OSM; one of drivable, walkable, all
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        sort: put in order of time what is not, instead of refusing it
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def attack(
    truth: Records | None = None,
    synthetic: Records | None = None,
    *,
    heldout: Records | None = None,
    area: Text | None = None,
    statement: Records | None = None,
    plane: bool = False,
    near: float = 100.0,
    seed: int = 1,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    sort: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What somebody can learn from a release of a set of trips.

    As `fogline traces attack`; the fields are the same.

    Arguments:
        truth: the private trips that were used: CSV, GeoJSON, GPX, .dat
        synthetic: the synthetic ones
        heldout: private trips that were not used
        area: area to look at (that of the statement; without one, all trips)
        statement: of SYNTHETIC, if it is not beside it: declares the area
        plane: positions and area are metres on a plane; .dat files always are
        near: metres within which a trip is reconstructed (100); above 0, in m
        seed: of the halves and turns (1)
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        sort: put in order of time what is not, instead of refusing it
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """
