#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interrupts at arbitrary moments. Every verb stops soon after SIGINT or SIGTERM, with exit code 130, and leaves nothing behind
but a ledger that verifies; a live stream gives no further answer, and its statement is true.   tests/interrupts.py FOGLINE [--sanitized]
"""
import array
import concurrent.futures
import fcntl
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import termios
import time

fogline = pathlib.Path(sys.argv[1]).resolve()
# A sanitizer makes a step of seconds one of minutes, and what is asked between its parts as rare: the plain program shows how soon it hears.
sanitized = "--sanitized" in sys.argv
# No measure of speed: a program that hears within a second may wait for a busy machine. One that does not hear is ended by its own
# watcher after 10 s, and that must not pass for hearing.
SOON = 6
LATTICE = "lattice:1000x1000:100"
SIGNALS = [signal.SIGINT, signal.SIGTERM]
HANG_UP = [signal.SIGHUP]  # by live runs, which a terminal that closes ends
INPUTS = ["many.csv", "states.csv", "trips.csv", "model.json", "slow.json", "big.csv"]
moments = random.Random(7)
failures = []
# A shell may have started us with signals ignored, which a child would inherit.
for each in SIGNALS + HANG_UP:
    signal.signal(each, signal.SIG_DFL)


def check(name, holds, detail=""):
    if not holds:
        failures.append(name)
        print(f"{name}: {detail}", flush=True)


def options(folder):
    return {"cwd": folder, "text": True, "env": {**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": "/dev/null"}}


def run(folder, line):
    done = subprocess.run([fogline, *line.split()], capture_output=True, timeout=300, **options(folder))
    assert done.returncode == 0, f"{line}: {done.stderr}"
    return done.stdout


def start(folder, line, **more):
    return subprocess.Popen([fogline, *line.split()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            **more, **options(folder))


def stop(name, process, which):
    """Sends the signal and gives what the program said, once it is gone."""
    process.send_signal(which)
    if moments.random() < 0.5:  # who is impatient sends another, and gets the same true words
        time.sleep(0.005)
        process.send_signal(which)
    try:
        process.wait(SOON)
    except subprocess.TimeoutExpired:
        check(name, False, f"is still running {SOON} s after {which.name}")
        process.kill()
    out, err = process.stdout.read(), process.stderr.read()
    process.stdin.close()
    return out, err


def files(folder):
    return {p.relative_to(folder) for p in pathlib.Path(folder).rglob("*") if not p.name.startswith("ledger")}


DATASETS = ["riders", "walkers", "taxis", "trips", "calls", "walker", "place", "weights", "traces", "default"]


def entries(folder):
    """Releases and caps; not what was declared, settled or refused."""
    shown = json.loads(run(folder, "ledger show --ledger ledger --json"))
    return shown["entries"] - len(DATASETS) - sum(book["settled"] + book["refusals"] for book in shown["datasets"].values())


LONG = {
    "place plan": f"place plan --mechanism tight --network {LATTICE} --epsilon 0.01",
    "place audit": f"place audit --mechanism tight --network {LATTICE} --epsilon 0.01",
    "place measure": f"place measure --network {LATTICE} --epsilon 0.01",
    "place release": f"place release --network {LATTICE} --epsilon 0.01 many.csv -o safe.csv --ledger ledger --dataset riders",
    "place release, waiting for input": "place release --network lattice:9x9:100 --epsilon 0.01 - -o safe.csv --ledger ledger "
                                        "--dataset riders",
    "sample place": f"sample place --network {LATTICE} --count 90000000 -o sample.csv",
    "sample traces": "sample traces --people 1000000 -o trips9.csv",
    "stream plan": "stream plan --model model.json --policy complete --epsilon 1 --mechanism optimal --walk-steps 100000 --walks 1000",
    "traces release": "traces release trips.csv --area=-30.2,44.8,-29.8,45.2 --epsilon 1 --trips-to-make 2000000 -o made.csv --ledger ledger "
                      "--dataset riders",
    "weights release": "weights release big.csv --range 0:10 --epsilon 1 -o noisy.csv --ledger ledger --dataset calls",
    "selftest": "selftest",
}


def prepare(folder):
    run(folder, "sample place --network lattice:20x20:1500 --count 300000 -o many.csv -q")
    run(folder, "sample stream -o states.csv --public trips.csv -q")
    run(folder, "stream learn trips.csv --grid 340 -o model.json -q")
    with open(folder / "big.csv", "w", encoding="utf-8") as graph:
        graph.write("from,to,weight\n")
        graph.writelines(f"{i},{i + 1},{i % 10}\n" for i in range(1_000_000))
    # A walk that begins in one state, at once, and may then be anywhere: a table over all states takes long.
    side, states = 28, 28 * 28
    (folder / "slow.json").write_text(json.dumps(
        {"format": "fogline-model-1", "states": [f"s{i}" for i in range(states)], "columns": ["x", "y"],
         "values": [value for i in range(states) for value in (i % side, i // side)], "initial": [1] + [0] * (states - 1),
         "transitions": {"successors": [states] + [1] * (states - 1), "to": [*range(states)] + [0] * (states - 1),
                         "probability": [1 / states] * states + [1] * (states - 1)}}), encoding="utf-8")


def long_commands_stop(folder, commands):
    for name, line in commands:
        for which in SIGNALS:
            before, charged = files(folder), entries(folder)
            process = start(folder, line)
            moment = moments.uniform(0.2, 2.5)
            time.sleep(moment)
            out, err = stop(name, process, which)
            if moment < 0.5 and process.returncode == -which:
                continue  # before the program had begun to listen
            if process.returncode == 0 or "what was released stands" in err:  # its files were on their way into place
                for made in files(folder) - before:
                    (folder / made).unlink()
                continue
            check(name, process.returncode == 130 and err.endswith("fogline: error: interrupted\n"),
                  f"{which.name}: {process.returncode} {out[-300:]}{err}")
            check(name, files(folder) == before, f"left behind: {files(folder) - before}")
            spent = entries(folder) > charged
            check(name, spent == ("is spent all the same" in err), f"{'charged' if spent else 'not charged'}, and says: {err}")
            run(folder, "ledger verify --ledger ledger")


def tells_the_truth(name, folder, statement, said, records, whole=True):
    """The statement is of what was said, and, if its last record is whole, passes every check."""
    told = json.loads((folder / statement).read_text(encoding="utf-8"))["outputs"][0]
    check(name, told["records"] == records, f"{told} {records}")
    check(name, told["sha256"] == hashlib.sha256(said.encode()).hexdigest(), told)
    if not whole:
        return
    (folder / "answers.csv").write_text(said, encoding="utf-8")
    verified = subprocess.run([fogline, "verify", statement, "--file", "-=answers.csv", "--ledger", "ledger"],
                              capture_output=True, check=False, **options(folder))
    doubts = [line for line in verified.stdout.splitlines()
              if line.strip().startswith(("failed", "not checked")) and "nobody signed" not in line]
    check(name, verified.returncode == 4 and not doubts, f"verify: {doubts} {verified.stderr}")


def live(folder, statement):
    return start(folder, "stream release --model model.json --policy complete --epsilon 2 - -o - "
                 f"--statement {statement} --ledger ledger --dataset walker --save {statement}.state")


def live_streams_stop(folder):
    header, *states = (folder / "states.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    for answers in [0, 1, 2]:
        for which in SIGNALS + HANG_UP:
            name, statement = f"live, {which.name} after {answers}", f"live{answers}{which.name}.json"
            process = live(folder, statement)
            process.stdin.write(header)
            process.stdin.flush()
            said = process.stdout.readline()
            for state in states[:answers]:
                process.stdin.write(state)
                process.stdin.flush()
                said += process.stdout.readline()
            rest, err = stop(name, process, which)
            check(name, process.returncode == 130, f"{process.returncode} {err}")
            check(name, rest == "", f"went on answering: {rest}")
            check(name, "is spent" in err and statement in err, err)
            tells_the_truth(name, folder, statement, said, answers)


def live_stream_stops_among_waiting_states(folder):
    """All states are there at once: the signal falls between two answers, or into a write that waits for its reader."""
    rows = [line.split(",", 1) for line in (folder / "states.csv").read_text(encoding="utf-8").splitlines(keepends=True)]
    assert rows[0] == ["t", "lon,lat\n"], rows[0]  # without times the same states may come again and again
    (folder / "waiting.csv").write_text("lon,lat\n" + (rows[1][1] + rows[2][1]) * 20_000, encoding="utf-8")
    for which in SIGNALS:
        name, statement = f"live, {which.name} among waiting states", f"waiting{which.name}.json"
        with open(folder / "waiting.csv", encoding="utf-8") as states:
            process = subprocess.Popen(
                [fogline, *("stream release --model model.json --policy complete --epsilon 2 --mechanism k-norm - -o - "
                            f"--statement {statement} --ledger ledger --dataset walker").split()],
                stdin=states, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options(folder))
        time.sleep(moments.uniform(1, 3))
        process.send_signal(which)
        try:
            process.wait(SOON)
        except subprocess.TimeoutExpired:
            check(name, False, "is still running")
            process.kill()
        said, err = process.stdout.read(), process.stderr.read()
        check(name, process.returncode == 130 and "is spent" in err, f"{process.returncode} {err}")
        told = json.loads((folder / statement).read_text(encoding="utf-8"))["outputs"][0]
        check(name, told["records"] == max(0, said.count("\n") - 1), f"{told} {said.count(chr(10))}")
        check(name, told["sha256"] == hashlib.sha256(said.encode()).hexdigest(), told)


def live_stream_stops_before_a_slow_step(folder):
    name = "live, before a slow step"
    process = start(folder, "stream release --model slow.json --policy util:2 --epsilon 1 --mechanism grouped --groups 1000 --anyway - -o - "
                    "--statement slow.statement.json --ledger ledger --dataset walker")
    process.stdin.write("state\ns0\ns5\n")
    process.stdin.flush()
    said = process.stdout.readline() + process.stdout.readline()
    time.sleep(0.5)
    rest, err = stop(name, process, signal.SIGTERM)
    check(name, process.returncode == 130 and rest == "", f"{process.returncode} {rest} {err}")
    check(name, "is spent, and slow.statement.json tells of it" in err, err)
    tells_the_truth(name, folder, "slow.statement.json", said, 1)


def bytes_waiting_in(pipe):
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def releases_stop_before_a_reader_who_does_not_read(folder):
    lines = {"place": "place release --network lattice:20x20:1500 --epsilon 0.01 many.csv",
             "weights": "weights release big.csv --range 0:10 --epsilon 1",
             "traces": "traces release trips.csv --area=-30.2,44.8,-29.8,45.2 --epsilon 1 --trips 3000"}
    for kind, line in lines.items():
        name, statement = f"{kind}, to a reader who does not read", f"{kind}.statement.json"
        process = start(folder, f"{line} -o - --statement {statement} --ledger ledger --dataset {kind}")
        for _ in range(600):
            if bytes_waiting_in(process.stdout) > 60_000 or process.poll() is not None:
                break
            time.sleep(0.1)
        said, err = stop(name, process, signal.SIGINT)
        check(name, process.returncode == 130 and "is spent all the same" in err, f"{process.returncode} {err}")
        check(name, len(said) > 60_000 and said.endswith("\n"), f"{len(said)} {said[-50:]}")
        rows = said.splitlines()[1:]
        records = len({row.split(",")[0] for row in rows}) if kind == "traces" else len(rows)
        tells_the_truth(name, folder, statement, said, records, whole=kind != "traces")


def release_stops_before_a_locked_ledger(folder):
    """Whoever waits for another process stops at once, and has charged nothing."""
    run(folder, "ledger cap --ledger ledger --dataset riders --epsilon-per-metre 9")
    other = sqlite3.connect(folder / "ledger", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for which in SIGNALS:
        name, before = f"locked ledger, {which.name}", files(folder)
        process = start(folder, "place release --network lattice:9x9:1500 --epsilon 0.01 many.csv -o safe.csv --ledger ledger --dataset riders")
        for _ in range(300):  # until its temporary files have been there for a while: then it waits for the ledger
            time.sleep(0.1)
            waiting = files(folder) - before
            if waiting and (time.sleep(0.3), files(folder) - before)[1] == waiting:
                break
        _, err = stop(name, process, which)
        check(name, process.returncode == 130 and err.endswith("nothing was charged\nfogline: error: interrupted\n"),
              f"{process.returncode} {err}")
        check(name, files(folder) == before, f"left behind: {files(folder) - before}")
    other.close()
    check("locked ledger", entries(folder) == 1, "something was charged")
    run(folder, "ledger verify --ledger ledger")


def in_a_folder_of_its_own(case, *more):
    with tempfile.TemporaryDirectory(dir=place) as own:
        for file in INPUTS:
            # A link more is a change of the file, and a public one that changes stops a release.
            (shutil.copy if file.endswith(".json") else os.link)(place / file, pathlib.Path(own) / file)
        for dataset in DATASETS:
            run(pathlib.Path(own), f"ledger add --ledger ledger --dataset {dataset} --uncapped -q")
        case(pathlib.Path(own), *more)


long = list(LONG.items())
cases = [(live_streams_stop,), (live_stream_stops_among_waiting_states,), (releases_stop_before_a_reader_who_does_not_read,), (release_stops_before_a_locked_ledger,),
         (long_commands_stop, long[::2]), (long_commands_stop, long[1::2])]
if not sanitized:
    cases.insert(0, (live_stream_stops_before_a_slow_step,))
with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(3) as several:
    place = pathlib.Path(name)
    prepare(place)
    for done in [several.submit(in_a_folder_of_its_own, *case) for case in cases]:
        done.result()

print(f"interrupts: {len(failures)} failures")
sys.exit(1 if failures else 0)
