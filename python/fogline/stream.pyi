# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_stubs from the tables of fields.
from collections.abc import Callable, Sequence
from typing import Any, Literal

from ._live import Live as Live
from ._ledger import Ledger
from ._network import Network
from ._results import Findings, Released
from ._types import Exact, File, Records, Text

def release(
    input: Records | None = None,
    *,
    model: Records | None = None,
    query: Records | None = None,
    initial: Records | None = None,
    policy: Records | None = None,
    epsilon: Exact | None = None,
    mechanism: Literal["auto", "optimal", "grouped", "k-norm", "laplace"] = 'auto',
    repair: Records = 'least-area',
    delta: Exact = '0',
    lattice_step: Exact | None = None,
    table_states: int = 100,
    groups: int | None = None,
    answer: Literal["estimate", "smoothed", "raw"] = 'estimate',
    protect: Literal["step", "sequence"] = 'step',
    steps: int | None = None,
    persons: Records | None = None,
    per_person: int | None = None,
    too_many: Literal["refuse", "leave-out"] | None = None,
    sequences_per_person: int | None = None,
    resume: Records | None = None,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    sort: bool = False,
    dataset: Text = 'default',
    output: Text | None = None,
    statement: Text | None = None,
    overwrite: bool = False,
    sign: Text | None = None,
    guarded: bool = False,
    save: Text | None = None,
    anyway: bool = False,
    seed: Text | None = None,
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
    passphrase: str | None = None,
) -> Released:
    """Releases sequences of states: charged first, drawn second, with a statement of what is promised.

    As `fogline stream release`; the fields are the same.

    Arguments:
        input: private: CSV state or lon,lat, and sequence
        model: PUBLIC model: .json of stream learn, or CSV of transitions
        query: PUBLIC measurement of each state: CSV state and 1 to 8 columns
        initial: PUBLIC first state: CSV state,probability; or uniform, or stationary
        policy: complete, util:D, transition, category:FILE, file:FILE, A+B
        epsilon: privacy parameter for each step; above 0 to 1,000
        mechanism: how a step is drawn; one of auto, optimal, grouped, k-norm, laplace
        repair: exposed states: none, nearest, least-area (default), a PUBLIC file
        delta: leave out states that together hold this probability (0); from 0 below 1
        lattice_step: PUBLIC rounding of measurements (1 m for places); above 0
        table_states: auto: tables up to so many possible states, k-norm above (100); from 2 above 0 to 100,000
        groups: auto, grouped: so many groups of states (as many as take milliseconds); from 2 above 0 to 1,000
        answer: made of the draws; estimate if not given; one of estimate, smoothed, raw
        protect: what is charged for without `persons`; step if not given; one of step, sequence
        steps: PUBLIC: of a sequence at most, for whole sequences; costs N times; from 0 above 0
        persons: protect persons, told apart by a column, a FILE of names, or not: declared
        per_person: promise for all sequences of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        too_many: what becomes of sequences and steps beyond; one of refuse, leave-out
        sequences_per_person: promise for all of a person's sequences, or one state of each; old: `persons` column `per_person` K; from 1 above 0 to 1,000,000
        resume: go on from a public state that was saved
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        sort: put in order of time what is not, instead of refusing it
        dataset: whose budget is spent: your name for the private data ('default')
        output: where the release goes; - for standard output
        statement: otherwise OUTPUT.statement.json; for - release.statement.json
        overwrite: replace existing files
        sign: sign the statement with this secret key
        guarded: for who may not see the records: pays for a refusal, and is not told why
        save: keep the public state, to go on from it
        anyway: charge even for what is no better than a guess that costs nothing
        seed: fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
        passphrase: of the key that signs, if it is encrypted
    """

def learn(
    trips: Records | None = None,
    *,
    grid: float | None = None,
    network: Network | File | None = None,
    within: Text | None = None,
    csv_header: Text | None = None,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    step_s: int | None = None,
    gap_s: int | None = None,
    smoothing: float = 0.1,
    initial: Literal["counted", "uniform", "stationary"] = 'counted',
    noise_m: float | None = None,
    rounds: int = 50,
    tolerance: float = 0.0001,
    output: Text | None = None,
    overwrite: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """A model of how states follow each other, learned from public sequences.

    As `fogline stream learn`; the fields are the same.

    Arguments:
        trips: public positions, or CSV sequence,state
        grid: square cells with this side; above 0 to 10,000,000, in m
        network: vertices of a road network: file or specification
        within: use only what lies in this box of degrees
        csv_header: of a CSV file without one: user_id,t,lon,lat
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        step_s: take the last position at each step of S seconds; from 1 above 0 to 1,000,000, in s
        gap_s: a longer gap begins a new sequence (600 with `step_s`); from 1 above 0 to 1,000,000,000, in s
        smoothing: added to the count of each neighbour (0.1); from 0 to 1,000
        initial: where sequences begin (counted); one of counted, uniform, stationary
        noise_m: error of the positions: learn by EM; cells only; above 0 to 10,000,000, in m
        rounds: of EM, at most (50); from 1 to 10,000
        tolerance: stop EM when a round gains less a position (0.0001); from 0 to 1,000,000
        output: model file, .json; - for standard output
        overwrite: replace an existing file
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def plan(
    *,
    model: Records | None = None,
    query: Records | None = None,
    initial: Records | None = None,
    policy: Records | None = None,
    epsilon: Exact | None = None,
    mechanism: Literal["auto", "optimal", "grouped", "k-norm", "laplace"] = 'auto',
    repair: Records = 'least-area',
    delta: Exact = '0',
    lattice_step: Exact | None = None,
    table_states: int = 100,
    groups: int | None = None,
    answer: Literal["estimate", "smoothed", "raw"] = 'estimate',
    protect: Literal["step", "sequence"] = 'step',
    steps: int | None = None,
    persons: Records | None = None,
    per_person: int | None = None,
    too_many: Literal["refuse", "leave-out"] | None = None,
    sequences_per_person: int | None = None,
    resume: Records | None = None,
    walks: int = 4,
    walk_steps: int = 25,
    dataset: Text = 'default',
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of sequences of states would promise, cost and blur. Reads no private record, and charges nothing.

    As `fogline stream plan`; the fields are the same.

    Arguments:
        model: PUBLIC model: .json of stream learn, or CSV of transitions
        query: PUBLIC measurement of each state: CSV state and 1 to 8 columns
        initial: PUBLIC first state: CSV state,probability; or uniform, or stationary
        policy: complete, util:D, transition, category:FILE, file:FILE, A+B
        epsilon: privacy parameter for each step; above 0 to 1,000
        mechanism: how a step is drawn; one of auto, optimal, grouped, k-norm, laplace
        repair: exposed states: none, nearest, least-area (default), a PUBLIC file
        delta: leave out states that together hold this probability (0); from 0 below 1
        lattice_step: PUBLIC rounding of measurements (1 m for places); above 0
        table_states: auto: tables up to so many possible states, k-norm above (100); from 2 above 0 to 100,000
        groups: auto, grouped: so many groups of states (as many as take milliseconds); from 2 above 0 to 1,000
        answer: made of the draws; estimate if not given; one of estimate, smoothed, raw
        protect: what is charged for without `persons`; step if not given; one of step, sequence
        steps: PUBLIC: of a sequence at most, for whole sequences; costs N times; from 0 above 0
        persons: protect persons, told apart by a column, a FILE of names, or not: declared
        per_person: promise for all sequences of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        too_many: what becomes of sequences and steps beyond; one of refuse, leave-out
        sequences_per_person: promise for all of a person's sequences, or one state of each; old: `persons` column `per_person` K; from 1 above 0 to 1,000,000
        resume: go on from a public state that was saved
        walks: of the model (4); from 1 to 10,000
        walk_steps: of each walk (25); from 1 to 100,000
        dataset: whose budget is spent: your name for the private data ('default')
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def audit(
    *,
    model: Records | None = None,
    query: Records | None = None,
    initial: Records | None = None,
    policy: Records | None = None,
    epsilon: Exact | None = None,
    mechanism: Literal["auto", "optimal", "grouped", "k-norm", "laplace"] = 'auto',
    repair: Records = 'least-area',
    delta: Exact = '0',
    lattice_step: Exact | None = None,
    table_states: int = 100,
    groups: int | None = None,
    walks: int = 2,
    steps: int = 10,
    samples: int = 20000,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Whether a mechanism for sequences of states keeps its promise.

    As `fogline stream audit`; the fields are the same.

    Arguments:
        model: PUBLIC model: .json of stream learn, or CSV of transitions
        query: PUBLIC measurement of each state: CSV state and 1 to 8 columns
        initial: PUBLIC first state: CSV state,probability; or uniform, or stationary
        policy: complete, util:D, transition, category:FILE, file:FILE, A+B
        epsilon: privacy parameter for each step; above 0 to 1,000
        mechanism: how a step is drawn; one of auto, optimal, grouped, k-norm, laplace
        repair: exposed states: none, nearest, least-area (default), a PUBLIC file
        delta: leave out states that together hold this probability (0); from 0 below 1
        lattice_step: PUBLIC rounding of measurements (1 m for places); above 0
        table_states: auto: tables up to so many possible states, k-norm above (100); from 2 above 0 to 100,000
        groups: auto, grouped: so many groups of states (as many as take milliseconds); from 2 above 0 to 1,000
        walks: of the model (2); from 1 to 1,000
        steps: of each walk (10); from 1 to 10,000
        samples: draws of each fit, and of each falsified state (20000); from 1,000 to 100,000,000
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def measure(
    states: Records | None = None,
    released: Records | None = None,
    *,
    model: Records | None = None,
    statement: Records | None = None,
    file: Records | None = None,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    sort: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What a release of sequences of states is still good for. For the curator alone: exact figures of private records.

    As `fogline stream measure`; the fields are the same.

    Arguments:
        states: the private states, as they were given to release
        released: what was released of them
        model: the model it was released with
        statement: its statement, if it is not beside it
        file: where another file is that it names; may be repeated
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        sort: put in order of time what is not, instead of refusing it
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def attack(
    released: Records | None = None,
    *,
    model: Records | None = None,
    statement: Records | None = None,
    file: Records | None = None,
    states: Records | None = None,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    sort: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """What somebody can learn from a release of sequences of states.

    As `fogline stream attack`; the fields are the same.

    Arguments:
        released: what was released
        model: the model it was released with
        statement: its statement, if it is not beside it
        file: where another file is that it names; may be repeated
        states: the private states, to see how right the attackers are
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        sort: put in order of time what is not, instead of refusing it
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def live(
    *,
    model: Records | None = None,
    query: Records | None = None,
    initial: Records | None = None,
    policy: Records | None = None,
    epsilon: Exact | None = None,
    mechanism: Literal["auto", "optimal", "grouped", "k-norm", "laplace"] = 'auto',
    repair: Records = 'least-area',
    delta: Exact = '0',
    lattice_step: Exact | None = None,
    table_states: int = 100,
    groups: int | None = None,
    answer: Literal["estimate", "smoothed", "raw"] = 'estimate',
    protect: Literal["step", "sequence"] = 'step',
    steps: int | None = None,
    persons: Records | None = None,
    per_person: int | None = None,
    too_many: Literal["refuse", "leave-out"] | None = None,
    sequences_per_person: int | None = None,
    resume: Records | None = None,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    sort: bool = False,
    dataset: Text = 'default',
    output: Text | None = None,
    statement: Text | None = None,
    overwrite: bool = False,
    sign: Text | None = None,
    guarded: bool = False,
    save: Text | None = None,
    anyway: bool = False,
    seed: Text | None = None,
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    threads: int = 0,
    passphrase: str | None = None,
) -> Live:
    """Answers sequences of states one at a time, as they come: docs/python.md.

    As `fogline stream release`; the fields are the same.

    Arguments:
        model: PUBLIC model: .json of stream learn, or CSV of transitions
        query: PUBLIC measurement of each state: CSV state and 1 to 8 columns
        initial: PUBLIC first state: CSV state,probability; or uniform, or stationary
        policy: complete, util:D, transition, category:FILE, file:FILE, A+B
        epsilon: privacy parameter for each step; above 0 to 1,000
        mechanism: how a step is drawn; one of auto, optimal, grouped, k-norm, laplace
        repair: exposed states: none, nearest, least-area (default), a PUBLIC file
        delta: leave out states that together hold this probability (0); from 0 below 1
        lattice_step: PUBLIC rounding of measurements (1 m for places); above 0
        table_states: auto: tables up to so many possible states, k-norm above (100); from 2 above 0 to 100,000
        groups: auto, grouped: so many groups of states (as many as take milliseconds); from 2 above 0 to 1,000
        answer: made of the draws; estimate if not given; one of estimate, smoothed, raw
        protect: what is charged for without `persons`; step if not given; one of step, sequence
        steps: PUBLIC: of a sequence at most, for whole sequences; costs N times; from 0 above 0
        persons: protect persons, told apart by a column, a FILE of names, or not: declared
        per_person: promise for all sequences of a person, at most K (declared: 1); from 1 above 0 to 1,000,000
        too_many: what becomes of sequences and steps beyond; one of refuse, leave-out
        sequences_per_person: promise for all of a person's sequences, or one state of each; old: `persons` column `per_person` K; from 1 above 0 to 1,000,000
        resume: go on from a public state that was saved
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        sort: put in order of time what is not, instead of refusing it
        dataset: whose budget is spent: your name for the private data ('default')
        output: where the release goes; - for standard output
        statement: otherwise OUTPUT.statement.json; for - release.statement.json
        overwrite: replace existing files
        sign: sign the statement with this secret key
        guarded: for who may not see the records: pays for a refusal, and is not told why
        save: keep the public state, to go on from it
        anyway: charge even for what is no better than a guess that costs nothing
        seed: fixed noise, for tests and experiments: NOT PRIVATE, costs nothing
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        threads: at most so many; 0: all cores
        passphrase: of the key that signs, if it is encrypted
    """
