#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills releases of the real command line at arbitrary moments and checks what is left.

    tools/kill_test.py build/release/fogline            # 200 kills
    tools/kill_test.py build/release/fogline --kills 20 --keep

Two releases of one dataset run at a time against one ledger with a cap; one or both are killed (SIGKILL) after a
delay drawn from a fixed seed. After every kill, and at the end:

  - every output stands beside a statement that names its hash,
  - every statement's ledger entry is there, with the same hash, and belongs to that output alone,
  - the chain of the ledger is whole (recomputed here, not only by `fogline ledger verify`),
  - what is spent does not exceed the cap,

and the last runs go on until the cap is reached and a release is refused with exit code 3. Prints one line; exit
code 0 if all holds.
"""

import argparse
import hashlib
import json
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

DATASET = "riders"
COLUMNS = ("event dataset kind mechanism notion unit epsilon measure delta exactness reason output version "
           "previous_hash").split()
REFUSED = 3


class Broken(Exception):
    """An invariant does not hold."""


class Bench:
    """A folder with points, a ledger and the outputs released so far."""

    def __init__(self, fogline, folder, epsilon, cap):
        self.fogline, self.folder, self.epsilon = str(fogline), folder, epsilon
        self.ledger, self.outputs, self.started = folder / "project.ledger", folder / "out", 0
        self.outputs.mkdir()
        self.points = folder / "points.csv"
        rows = ["lon,lat"] + [f"{i * 0.0001:.4f},0.0" for i in range(20)]
        self.points.write_text("\n".join(rows) + "\n")
        self.set_cap(cap)

    def run(self, *arguments):
        return subprocess.run([self.fogline, *map(str, arguments)], capture_output=True, text=True, check=False)

    def set_cap(self, cap):
        done = self.run("ledger", "cap", "--ledger", self.ledger, "--dataset", DATASET, "--epsilon-per-metre", cap)
        if done.returncode != 0:
            raise Broken(f"the cap cannot be set: {done.stderr.strip()}")

    def start(self):
        self.started += 1
        output = self.outputs / f"release{self.started}.csv"
        return subprocess.Popen(
            [self.fogline, "place", "release", "--network", "line:101:1000", str(self.points), "--mechanism", "gem",
             "--epsilon", self.epsilon, "--dataset", DATASET, "--ledger", str(self.ledger), "-o", str(output)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def require(holds, sentence):
    if not holds:
        raise Broken(sentence)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def entry_hash(row):
    form = 2 if row["details"] else 1
    text = f"fogline ledger entry {form}\nsequence={row['sequence']}\ntime={row['time_unix_s']}\n".encode()
    for name in COLUMNS + (["details"] if row["details"] else []):
        value = row[name].encode()
        text += f"{name}={len(value)}:".encode() + value + b"\n"
    return sha256(text)


def check_ledger(path):
    """The entries by number, after walking the chain and the cap, and what was settled of them."""
    # A connection that may write: SQLite undoes what a killed process left unfinished.
    file = sqlite3.connect(path, timeout=60)
    file.row_factory = sqlite3.Row
    try:
        require(file.execute("PRAGMA integrity_check").fetchone()[0] == "ok", "SQLite finds damage")
        (ledger_id,) = file.execute("SELECT id FROM ledger").fetchone()
        head = file.execute("SELECT entries, hash FROM head").fetchone()
        rows = file.execute("SELECT * FROM entries ORDER BY sequence").fetchall()
    finally:
        file.close()
    last, spent, cap, entries, settled = sha256(f"fogline ledger 1\n{ledger_id}\n".encode()), Fraction(0), None, {}, {}
    for number, row in enumerate(rows, 1):
        require(row["sequence"] == number, f"entry {number} is missing")
        require(row["previous_hash"] == last and entry_hash(row) == row["hash"], f"the chain breaks at {number}")
        last = row["hash"]
        if row["event"] == "cap":
            cap = Fraction(row["epsilon"])
        elif row["event"] == "charge":
            spent += Fraction(row["epsilon"])
            require(cap is None or spent <= cap, f"entry {number} exceeds the cap")
            entries[number] = row
        elif row["event"] == "settled":
            told = json.loads(row["details"])
            require(told["entry"] in entries and told["entry"] not in settled, f"entry {number} settles nothing, or again")
            settled[told["entry"]] = told
    require(head["entries"] == len(rows) and head["hash"] == last, "the head does not match the last entry")
    return ledger_id, entries, settled, spent, cap


def check_release(output, ledger_id, entries, settled, used):
    statement_path = pathlib.Path(f"{output}.statement.json")
    require(statement_path.exists(), f"{output.name} has no statement")
    statement = json.loads(statement_path.read_text())
    named = {one["name"]: one["sha256"] for one in statement["outputs"]}
    require(named.get(output.name) == sha256(output.read_bytes()), f"{output.name} is not what its statement names")
    reference = statement["ledger"]
    entry = entries.get(reference.get("entry"))
    require(reference.get("id") == ledger_id and entry is not None, f"{output.name} has no ledger entry")
    require(entry["hash"] == reference["entry_hash"] and entry["output"] == output.name,
            f"{output.name} names an entry that is not its own")
    require(entry["sequence"] not in used, f"entry {entry['sequence']} paid for two releases")
    used.add(entry["sequence"])
    if told := settled.get(entry["sequence"]):
        require(told["output_sha256"] == sha256(output.read_bytes()) and told["statement_sha256"] == sha256(statement_path.read_bytes()),
                f"{output.name} is not what was settled")


def check_all(bench):
    ledger_id, entries, settled, spent, cap = check_ledger(bench.ledger)
    used = set()
    outputs = sorted(bench.outputs.glob("*.csv"))
    for output in outputs:
        check_release(output, ledger_id, entries, settled, used)
    require(set(settled) <= used, f"settled, and not there: {sorted(set(settled) - used)}")
    return len(outputs), len(entries), spent, cap


def run_time(bench):
    """How long one undisturbed release takes: the first guess of when to kill."""
    begin = time.monotonic()
    process = bench.start()
    _, error = process.communicate()
    require(process.returncode == 0, f"a release does not work at all: {error.strip()}")
    return time.monotonic() - begin


def kill_round(bench, delays, longest):
    """Starts two releases, kills both at their moments; gives how many died by it."""
    processes = [bench.start(), bench.start()]
    killed = 0
    begin = time.monotonic()
    for process, delay in sorted(zip(processes, sorted(delays.uniform(0, longest) for _ in processes)),
                                 key=lambda pair: pair[1]):
        time.sleep(max(0.0, begin + delay - time.monotonic()))
        process.kill()
        _, error = process.communicate()
        killed += process.returncode == -9
        require(process.returncode in (-9, 0), f"a release failed by itself: {error.strip()}")
    return killed


def spend_the_rest(bench, releases):
    """A cap some releases above what is spent is reached exactly, then the next release is refused."""
    _, entries_before, spent, _ = check_all(bench)
    step = Fraction(bench.epsilon)
    cap = spent + releases * step + step / 2
    bench.set_cap(f"{cap.numerator}/{cap.denominator}")
    while True:
        codes = []
        for process in [bench.start(), bench.start()]:
            _, error = process.communicate()
            codes.append(process.returncode)
            require(process.returncode in (0, REFUSED), f"a release failed: {error.strip()}")
        if codes == [REFUSED, REFUSED]:
            break
    _, entries_after, _, _ = check_all(bench)
    require(entries_after == entries_before + releases, "the cap was not reached exactly")


def verify_by_command_line(bench):
    done = bench.run("ledger", "verify", "--ledger", bench.ledger, "--json")
    require(done.returncode == 0, f"`fogline ledger verify` finds: {(done.stdout + done.stderr).strip()}")
    json.loads(done.stdout)


def test(bench, options):
    longest = 2 * run_time(bench)
    delays, killed, rounds = random.Random(options.seed), 0, 0
    while killed < options.kills:
        died = kill_round(bench, delays, longest)
        # Half of the releases should end by themselves: then the kills are spread over the whole life of one.
        longest *= 1.1 if died == 2 else 0.9 if died == 0 else 1.0
        killed += died
        rounds += 1
        check_all(bench)
        require(rounds < 20 * options.kills + 100, "releases end before they can be killed")
    spend_the_rest(bench, 5)
    verify_by_command_line(bench)
    outputs, entries, spent, cap = check_all(bench)
    return (f"{killed} kills: {entries} entries, {outputs} outputs, each with its statement and entry; "
            f"{entries - outputs} paid and killed before their output; chain whole; spent {float(spent):g} of {float(cap):g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fogline", type=pathlib.Path, help="the program to test")
    parser.add_argument("--kills", type=int, default=200, help="how many (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default 1)")
    parser.add_argument("--epsilon", default="0.01", help="per metre, of each release (default 0.01)")
    parser.add_argument("--cap", default="1000", help="per metre, until the last phase (default 1000)")
    parser.add_argument("--keep", action="store_true", help="leave the folder for inspection")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fogline-kill-"))
    try:
        print("kill test passed:", test(Bench(options.fogline.resolve(), folder, options.epsilon, options.cap), options))
        return 0
    except Broken as broken:
        print(f"kill test FAILED: {broken} (in {folder})")
        options.keep = True
        return 1
    finally:
        if not options.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
