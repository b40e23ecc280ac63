# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_stubs from the tables of fields.
from collections.abc import Callable, Sequence
from typing import Any, Literal

from ._ledger import Ledger
from ._network import Network
from ._results import Findings, Released
from ._types import Exact, File, Records, Text

def report(
    releases: Records | None = None,
    *,
    file: Records | None = None,
    network: Network | File | None = None,
    trust: Records | None = None,
    curator: bool = False,
    original: Records | None = None,
    columns: Text | None = None,
    time_format: Literal["day-first", "month-first"] | None = None,
    sort: bool = False,
    output: Text | None = None,
    overwrite: bool = False,
    title: Text | None = None,
    no_attacks: bool = False,
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """One page of HTML about releases, for people.

    As `fogline report`; the fields are the same.

    Arguments:
        releases: released files or their statements
        file: where a public file is that lies elsewhere; may be repeated
        network: public roads to lie below maps, and to place vertices by
        trust: a public key, or a folder of them, whose signatures count
        curator: for the curator alone: show private values, and mark every page
        original: the private file of a release, by its name or as typed; may be repeated
        columns: which columns are what, such as trip=ride,time=none
        time_format: of dates such as 04/05/2020, refused otherwise; one of day-first, month-first
        sort: put in order of time what is not, instead of refusing it
        output: the report, .html
        overwrite: replace an existing file
        title: above all pages
        no_attacks: leave the attacks out, which can take long
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def selftest(
    *,
    samples: int = 8000,
    thorough: bool = False,
    only: Literal["planted", "published", "released"] | None = None,
    seed: int = 1,
    repeat: int = 1,
    details: bool = False,
    limits: Text | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Whether the auditor finds the mistakes that are planted for it, and none in what is right.

    As `fogline selftest`; the fields are the same.

    Arguments:
        samples: runs of each mechanism on each input (8000; with fewer, some bugs stay unseen); from 1,000 to 1,000,000,000
        thorough: use all samples even when a claim is broken, for higher bounds
        only: mechanisms to test: planted bugs, published ones, or those we release with; one of planted, published, released
        seed: of all random numbers (1)
        repeat: runs, with consecutive seeds (1); from 1 to 1,000,000
        details: print what each part found, with runs and time
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def verify(
    release: Records | None = None,
    *,
    folder: Text | None = None,
    file: Records | None = None,
    kernel: Records | None = None,
    trust: Records | None = None,
    quick: bool = False,
    no_limit: bool = False,
    strict: bool = False,
    limits: Text | None = None,
    ledger: Ledger | File | None = None,
    progress: bool | Callable[[str, int, int], object] = False,
    threads: int = 0,
) -> Findings:
    """Whether a release is what its statement says; with ledger and keys, whether it was drawn, and by whom.

    As `fogline verify`; the fields are the same.

    Arguments:
        release: the released file, or its statement, OUTPUT.statement.json; or a .jsonl of statements
        folder: where the files it names are; otherwise beside it
        file: where one file is that lies elsewhere; may be repeated
        kernel: the prepared mechanism that was drawn from, if it lies elsewhere or has another name here
        trust: a public key, or a folder of them, whose signatures count; may be repeated
        quick: do not read the map nor make trips again: leaves what needs that unchecked
        no_limit: check everything, however long it takes and whatever it needs
        strict: fail unless everything could be checked and something is promised
        limits: when a file is refused as too large: bytes, memory, line, columns, depth, records, ratio, seconds, such as records=1000000,bytes=4G
        ledger: the ledger that is charged or asked, or its path
        progress: True shows a bar; or a function of task, done and total (0: unknown), which may raise to stop
        threads: at most so many; 0: all cores
    """

def schema(kind: str, verb: str) -> dict[str, Any]: ...
