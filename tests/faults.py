#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults around a release: a full disk, folders that cannot be written, interrupts. After each: a clear error, no output, no
statement, and a ledger that verifies.   tests/faults.py FOGLINE
"""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

fogline = pathlib.Path(sys.argv[1]).resolve()
NETWORK = "lattice:20x20:1500"
failures = []


def run(*words, cwd, program=fogline, **options):
    return subprocess.run([program, *map(str, words)], cwd=cwd, capture_output=True, text=True,
                          env={**os.environ, "HOME": str(cwd)}, timeout=120, **options)


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name}: {detail}")


def release(folder, out="safe.csv", ledger="ledger", **options):
    return run("place", "release", "--network", NETWORK, "--epsilon", "0.01", "points.csv", "-o", out, "--ledger", ledger,
               "--dataset", "riders", cwd=folder, **options)


def no_output(name, folder, out="safe.csv"):
    left = [p.name for p in pathlib.Path(folder).glob("**/*") if p.name.startswith(pathlib.Path(out).name)]
    check(name, not left, f"left behind: {left}")


def entries(folder):
    done = run("ledger", "show", "--ledger", "ledger", "--json", cwd=folder)
    return json.loads(done.stdout)["entries"] if done.returncode == 0 else 0


def ledger_is_sound(name, folder):
    done = run("ledger", "verify", "--ledger", "ledger", cwd=folder)
    check(name, done.returncode == 0, f"ledger verify: {done.stdout}{done.stderr}")


def limit_files(size):
    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return apply


def sample(folder, count=20_000):
    done = run("sample", "place", "--network", NETWORK, "--count", count, "-o", "points.csv", "--overwrite", "-q", cwd=folder)
    assert done.returncode == 0, done.stderr


def full_disk_for_the_output(folder):
    sample(folder)
    assert run("ledger", "cap", "--ledger", "ledger", "--dataset", "riders", "--epsilon-per-metre", "9",
               cwd=folder).returncode == 0
    # The ledger is small, the output is not: files may not pass 200 kB.
    done = release(folder, preexec_fn=limit_files(200_000))
    check("full disk", done.returncode == 1 and "cannot be written" in done.stderr, f"{done.returncode} {done.stderr}")
    no_output("full disk", folder)
    check("full disk", entries(folder) == 2, "the charge stays: noise may have been drawn")
    ledger_is_sound("full disk", folder)


def full_disk_for_the_ledger(folder):
    sample(folder, 10)
    done = release(folder, preexec_fn=limit_files(1000))
    check("full disk, ledger", done.returncode == 1 and "error" in done.stderr, f"{done.returncode} {done.stderr}")
    no_output("full disk, ledger", folder)


def really_full_disk(folder):
    """A tiny file system of its own, where the machine lets us mount one."""
    place = folder / "tiny"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place], capture_output=True).returncode != 0:
        print("skipped: no file system can be mounted here")
        return
    try:
        sample(folder)
        done = release(folder, out="tiny/safe.csv")
        check("tiny disk", done.returncode == 1 and "No space left" in done.stderr, f"{done.returncode} {done.stderr}")
        check("tiny disk", not list(place.iterdir()), f"left behind: {list(place.iterdir())}")
        ledger_is_sound("tiny disk", folder)
        # No room at all for the ledger: nothing is charged, so nothing may be drawn.
        (place / "filler").write_bytes(b"x" * 250_000)
        done = release(folder, out="other.csv", ledger="tiny/ledger")
        check("tiny disk, ledger", done.returncode == 1 and done.stderr, f"{done.returncode} {done.stderr}")
        no_output("tiny disk, ledger", folder, "other.csv")
    finally:
        subprocess.run(["umount", place])


def folders_that_cannot_be_written(folder):
    sample(folder, 10)
    done = release(folder, out="missing/safe.csv")
    check("missing folder", done.returncode == 1 and "make the folder first" in done.stderr, done.stderr)
    check("missing folder", entries(folder) == 0, "nothing may be charged")
    done = release(folder, ledger="missing/ledger")
    check("missing ledger folder", done.returncode == 1 and "ledger" in done.stderr, done.stderr)
    no_output("missing ledger folder", folder)
    read_only = folder / "read-only"
    read_only.mkdir()
    read_only.chmod(0o555)
    demote, program = None, fogline
    if os.getuid() == 0:  # root may write anywhere, so a copy of the program runs as somebody else, who may not see root's folders
        program = pathlib.Path(shutil.copy(fogline, folder / "program"))
        for p in [folder, *folder.rglob("*")]:
            os.chown(p, 65534, 65534)
        os.chown(read_only, 0, 0)
        demote = lambda: (os.setgid(65534), os.setuid(65534))
    done = release(folder, out="read-only/safe.csv", program=program, preexec_fn=demote)
    check("read-only folder", done.returncode == 1 and "choose a folder you may write to" in done.stderr, done.stderr)
    check("read-only folder", entries(folder) == 0, "nothing may be charged")
    done = release(folder, ledger="read-only/ledger", program=program, preexec_fn=demote)
    check("read-only ledger", done.returncode == 1 and done.stderr, done.stderr)
    no_output("read-only ledger", folder)


def interrupted(folder):
    sample(folder, 3_000_000)
    process = subprocess.Popen([fogline, "place", "release", "--network", NETWORK, "--epsilon", "0.01", "points.csv", "-o",
                                "safe.csv", "--ledger", "ledger", "--dataset", "riders"], cwd=folder, text=True,
                               stderr=subprocess.PIPE)
    for _ in range(600):  # until it has charged and is drawing
        if (folder / "ledger").exists() and entries(folder) == 1:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    check("interrupt", process.returncode == 130 and "interrupted" in err, f"{process.returncode} {err}")
    no_output("interrupt", folder)
    ledger_is_sound("interrupt", folder)


def killed_midway(name, folder, words):
    """Killed once the second charge stands: it stays, and nothing stands under the names of output and statement."""
    process = subprocess.Popen([fogline, *words], cwd=folder, stderr=subprocess.DEVNULL)
    for _ in range(2400):
        if entries(folder) == 2 or process.poll() is not None:
            break
        time.sleep(0.01)
    process.kill()
    check(name, process.wait(timeout=60) == -signal.SIGKILL, "it was over before it could be killed")
    check(name, not (folder / "safe.csv").exists() and not (folder / "safe.csv.statement.json").exists(), "an output stands")
    check(name, entries(folder) == 2, "the charge stays")
    ledger_is_sound(name, folder)


def graph_in_pieces(folder):
    """A release of weights, which is written while it is drawn."""
    edges = "".join(f"{i},{i + 1},{100 + i % 501}\n" for i in range(400_000))
    (folder / "graph.csv").write_text("source,target,weight\n" + edges)
    words = ["weights", "release", "graph.csv", "--range", "100:600", "--epsilon", "5", "-o", "safe.csv", "--ledger", "ledger",
             "--dataset", "trade"]
    done = run(*words, cwd=folder, preexec_fn=limit_files(1_000_000))
    check("full disk, weights", done.returncode == 1 and "cannot be written" in done.stderr, f"{done.returncode} {done.stderr}")
    check("full disk, weights", "is spent all the same" in done.stderr, done.stderr)
    no_output("full disk, weights", folder)
    check("full disk, weights", entries(folder) == 1, "the charge stays: noise was drawn")
    with open(folder / "graph.csv", "a") as graph:
        graph.write("7,8,300\n")
    done = run(*words, cwd=folder)
    check("repeated edge", done.returncode == 1 and "line 400002" in done.stderr, f"{done.returncode} {done.stderr}")
    no_output("repeated edge", folder)
    check("repeated edge", entries(folder) == 1, "nothing may be charged")
    ledger_is_sound("weights", folder)
    # Killed while it draws and writes: the charge stays, and nothing stands under the names of output and statement.
    lines = (folder / "graph.csv").read_text().splitlines()[:-1]
    more = (f"{i},{i + 1},{100 + i % 501}" for i in range(400_000, 3_000_000))
    (folder / "graph.csv").write_text("\n".join([*lines, *more]) + "\n")
    killed_midway("killed, weights", folder, words)


def trips_in_pieces(folder):
    """A release of trips, which is written piece by piece."""
    run("sample", "traces", "--people", "800", "-o", "trips.csv", "-q", cwd=folder)
    words = ["traces", "release", "trips.csv", "--area", "-30.06,44.96,-29.94,45.04", "--epsilon", "1", "-o", "safe.csv", "--ledger", "ledger"]
    # Some 2,000 trips take ten times what files may hold here, whatever noise does to their number and their points.
    done = run(*words, cwd=folder, preexec_fn=limit_files(100_000))
    check("full disk, traces", done.returncode == 1 and "cannot be written" in done.stderr, f"{done.returncode} {done.stderr}")
    check("full disk, traces", "is spent all the same" in done.stderr, done.stderr)
    no_output("full disk, traces", folder)
    check("full disk, traces", entries(folder) == 1, "the charge stays: noise was drawn")
    with open(folder / "trips.csv", "a") as trips:
        trips.write("t1,u1,1,-30,45\n")
    done = run(*words, cwd=folder)
    check("time backwards", done.returncode == 1 and "runs backwards" in done.stderr, f"{done.returncode} {done.stderr}")
    no_output("time backwards", folder)
    check("time backwards", entries(folder) == 1, "nothing may be charged")
    ledger_is_sound("traces", folder)
    run("sample", "traces", "--people", "4000", "-o", "trips.csv", "--overwrite", "-q", cwd=folder)
    killed_midway("killed, traces", folder, words)


for fault in [graph_in_pieces, trips_in_pieces, full_disk_for_the_output, full_disk_for_the_ledger, really_full_disk, folders_that_cannot_be_written, interrupted]:
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        fault(pathlib.Path(name))
print("\n".join(failures) or "every fault ends in a clear error and no output")
sys.exit(1 if failures else 0)
