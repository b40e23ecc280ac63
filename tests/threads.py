#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""With --threads 1 a release of any kind starts no thread.   tests/threads.py FOGLINE THREAD_COUNT_LIBRARY"""
import os
import pathlib
import subprocess
import sys
import tempfile

fogline, library = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
MAP = "lattice:20x20:1500"
AREA = "-30.06,44.96,-29.94,45.04"


def started(words, folder):
    """How many threads the program starts."""
    env = {**os.environ, "HOME": str(folder), "LD_PRELOAD": str(library), "THREAD_COUNT": str(folder / "count")}
    done = subprocess.run([fogline, *words.split()], cwd=folder, capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    assert "TBB" not in done.stderr, f"{words}: {done.stderr}"
    return int((folder / "count").read_text())


MADE_FIRST = [f"sample place --network {MAP} --count 3000 -o points.csv",
              f"sample stream --network {MAP} --steps 20 -o states.csv --public history.csv",
              "stream learn history.csv --grid 300 -o model.json",
              "sample path",
              "sample weights -o graph.csv",
              "sample traces --people 100 -o trips.csv"]
RELEASES = [*(f"place release points.csv --network {MAP} --epsilon 0.01 --mechanism {name} -o {name}.csv"
              for name in ("gem", "tight", "optimal")),
            "stream release states.csv --model model.json --policy complete --epsilon 1 -o stream.csv",
            "path release route.csv --network net.csv --epsilon-edges 2 -o path.json",
            "weights release graph.csv --range 100:600 --epsilon 5 -o weights.csv",
            f"traces release trips.csv --area {AREA} --epsilon 1 -o traces.csv"]

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    # Some libraries start threads of their own when they are loaded; these do nothing here.
    loaded = started("--version", folder)
    failures = []
    started("ledger add --ledger ledger --uncapped -q", folder)
    for words in MADE_FIRST + RELEASES:
        more = started(words + " --threads 1" + (" --ledger ledger" if " release " in words else ""), folder) - loaded
        if more != 0:
            failures.append(f"{more} threads started by: fogline {words} --threads 1")
    # More than there are cores are started if they are asked for, and nobody complains on standard error.
    cores = os.cpu_count()
    if started(RELEASES[0].replace("gem.csv", "more.csv") + f" --threads {cores + 2} --ledger ledger", folder) - loaded < cores:
        failures.append(f"{cores + 2} threads were asked for, on {cores} cores, and fewer were started")
    # The count counts: with two threads one is started.
    if started(RELEASES[0].replace("gem.csv", "two.csv") + " --threads 2 --ledger ledger", folder) <= loaded:
        failures.append("two threads were asked for, and none was started")
print("\n".join(failures) or "one thread is one thread")
sys.exit(1 if failures else 0)
