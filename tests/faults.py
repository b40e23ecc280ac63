#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults around a release: a full disk, folders that cannot be written, interrupts, hostile inputs. After each: a clear error, no output, no
statement, and a ledger that verifies.   tests/faults.py FOGLINE
"""
import bz2
import gzip
import hashlib
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
os.umask(0o022)  # what most people have: others may read what is made


def run(*words, cwd, program=fogline, **options):
    return subprocess.run([program, *map(str, words)], cwd=cwd, capture_output=True, text=True,
                          env={**os.environ, "HOME": str(cwd), "XDG_CACHE_HOME": "/dev/null"}, timeout=120, **options)


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name}: {detail}")


def release(folder, out="safe.csv", ledger="ledger", **options):
    return run("place", "release", "--network", NETWORK, "--epsilon", "0.01", "points.csv", "-o", out, "--ledger", ledger,
               "--dataset", "riders", cwd=folder, **options)


def no_output(name, folder, out="safe.csv"):
    left = [p.name for p in pathlib.Path(folder).glob("**/*") if p.name.startswith(pathlib.Path(out).name)]
    check(name, not left, f"left behind: {left}")


DATASETS = ["riders", "default", "trade", "d"]


def declare(folder):
    """Whatever is charged was declared."""
    for dataset in DATASETS:
        done = run("ledger", "add", "--ledger", "ledger", "--dataset", dataset, "--uncapped", "-q", cwd=folder)
        assert done.returncode == 0, done.stderr


def entries(folder):
    """Releases and caps; not what was declared, settled or refused."""
    done = run("ledger", "show", "--ledger", "ledger", "--json", cwd=folder)
    if done.returncode != 0:
        return 0
    shown = json.loads(done.stdout)
    return shown["entries"] - len(DATASETS) - sum(book["settled"] + book["refusals"] for book in shown["datasets"].values())


def ledger_is_sound(name, folder):
    done = run("ledger", "verify", "--ledger", "ledger", cwd=folder)
    check(name, done.returncode == 0, f"ledger verify: {done.stdout}{done.stderr}")


def limit_files(size):
    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # as a shell leaves it; Python itself ignores it
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
    check("full disk", done.returncode == 1 and "cannot be written" in done.stderr and "ulimit -f" in done.stderr,
          f"{done.returncode} {done.stderr}")
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
        check("tiny disk, ledger", done.returncode in (1, 3) and done.stderr, f"{done.returncode} {done.stderr}")
        no_output("tiny disk, ledger", folder, "other.csv")
        done = run("ledger", "add", "--ledger", "tiny/other", "--uncapped", cwd=folder)
        check("tiny disk, new ledger", done.returncode == 1 and not (place / "other").exists(), f"{done.returncode} {done.stderr}")
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
    while process.poll() is None:  # until it has charged and is drawing, however slow the machine is
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
    while process.poll() is None and entries(folder) < 2:
        time.sleep(0.01)
    process.kill()
    check(name, process.wait(timeout=60) == -signal.SIGKILL, "it was over before it could be killed")
    check(name, not (folder / "safe.csv").exists() and not (folder / "safe.csv.statement.json").exists(), "an output stands")
    left = {p.name: oct(p.stat().st_mode & 0o777) for p in folder.glob("safe.csv*")}
    check(name, left and all(mode == "0o600" for mode in left.values()), f"what is left should be its owner's alone: {left}")
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


def state_beside_a_stream(folder):
    """What --save keeps appears with the release or not at all: it is made of answers that nobody has."""
    assert run("sample", "stream", "-o", "few.csv", "--public", "trips.csv", "-q", cwd=folder).returncode == 0
    assert run("stream", "learn", "trips.csv", "--grid", "340", "-o", "model.json", "-q", cwd=folder).returncode == 0
    rows = [line.split(",", 1)[1] for line in (folder / "few.csv").read_text().splitlines(keepends=True)]
    (folder / "states.csv").write_text("lon,lat\n" + (rows[1] + rows[2]) * 1500)
    words = ["stream", "release", "--model", "model.json", "--policy", "complete", "--epsilon", "1", "--mechanism", "k-norm", "--anyway",
             "states.csv", "-o", "safe.csv", "--ledger", "ledger", "--save", "safe.csv.state.json"]
    done = run(*words, cwd=folder, preexec_fn=limit_files(50_000))
    check("full disk, stream", done.returncode == 1 and "is spent all the same" in done.stderr, f"{done.returncode} {done.stderr}")
    no_output("full disk, stream", folder)
    done = run(*words, cwd=folder)
    check("stream", done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return
    state = (folder / "safe.csv.state.json").stat().st_size
    check("stream", state < 50_000 < (folder / "safe.csv").stat().st_size, f"the state alone had to fit: {state}")
    (folder / "states.csv").write_text("lon,lat\n" + rows[1])
    done = run(*words[:-3], "other.ledger", "--save", "model.json", "--overwrite", cwd=folder)
    check("stream", done.returncode == 2 and "--save" in done.stderr, f"{done.returncode} {done.stderr}")


def closed_pipes(folder):
    """Nobody reads standard output: a verb that only prints ends quietly; a release says what is true of it."""
    def into_closed_pipe(*words):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            return subprocess.run([fogline, *words], cwd=folder, stdout=writer, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": "/dev/null"}, timeout=120)
        finally:
            os.close(writer)

    for words in [["claims"], ["--help"], ["place", "release", "--help"], ["network", "info", NETWORK]]:
        done = into_closed_pipe(*words)
        check("closed pipe", (done.returncode, done.stderr) == (141, ""), f"{words}: {done.returncode} {done.stderr}")
    sample(folder, 10)
    words = ["place", "release", "--network", NETWORK, "--epsilon", "0.01", "points.csv", "--ledger", "ledger", "-q"]
    done = into_closed_pipe(*words, "-o", "-")
    check("closed pipe, release", done.returncode == 1 and "Broken pipe" in done.stderr, f"{done.returncode} {done.stderr}")
    check("closed pipe, release", "entry 5 of the ledger is spent all the same" in done.stderr, done.stderr)
    told = json.loads((folder / "release.statement.json").read_text())["outputs"][0]
    check("closed pipe, release", told["records"] == 0 and told["sha256"] == hashlib.sha256().hexdigest(), told)
    done = into_closed_pipe(*words, "-o", "safe.csv", "--json")
    check("closed pipe, report", done.returncode == 1 and "the release stands" in done.stderr, f"{done.returncode} {done.stderr}")
    check("closed pipe, report", run("verify", "safe.csv", "--ledger", "ledger", cwd=folder).returncode == 4, "it does not stand")
    check("closed pipe, release", entries(folder) == 2, "both are charged")
    ledger_is_sound("closed pipe", folder)


def run_measured(*words, cwd, seconds=60):
    """Like run, and how many bytes of memory the program held at most. Resident memory, not address space: a sanitizer reserves
    terabytes of the latter, and keeps what the program gave back (256 MiB of it, unless told otherwise), which is not held."""
    kept_by_sanitizer = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=1"]))
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen([fogline, *words], cwd=cwd, stdout=subprocess.DEVNULL, stderr=errors,
                                   env={**os.environ, "HOME": str(cwd), "XDG_CACHE_HOME": "/dev/null", "ASAN_OPTIONS": kept_by_sanitizer},
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, errors.read(), used.ru_maxrss * 1024


def small_inputs_that_would_take_the_machine(folder):
    levels = 40_000
    (folder / "deep.json").write_text('{"a":' * levels + "1" + "}" * levels)
    (folder / "wide.json").write_text('{"' + "x" * 100_000 + '":{' + ",".join(f'"{i}":1' for i in range(20_000)) + "}}")
    for name, over in [("deep.json", "nests deeper than 200 levels"), ("wide.json", "more than 500 bytes of a field's path")]:
        code, said, held = run_measured("stream", "plan", "--model", name, "--policy", "complete", "--epsilon", "1", cwd=folder)
        check(name, code == 1 and over in said, f"{code} {said}")
        check(name, held < 1 << 29, f"held {held >> 20} MiB")
    packed_nothing(folder)


def packed_nothing(folder):
    """Megabytes that unpack to gigabytes of nothing, for every reader: refused in a moment, in little memory, before a charge."""
    def packed(name, head, block):
        repeats = 2 * 10**9 // len(block)
        (folder / name).write_bytes(gzip.compress(head) + gzip.compress(block) * repeats)

    size = 1 << 22
    row_after_a_gap = b"\n" * 900_000 + b"13.4,52.5\n"
    packed("ends.csv.gz", b"", b"\n" * size)
    packed("notes.txt.gz", b"", b"#\n" * (size // 2))
    packed("blanks.geojson.gz", b"{", b" " * size)
    packed("gaps.csv.gz", b"lon,lat\n", row_after_a_gap * 5)
    packed("notes.gr.gz", b"", b"c\n" * (size // 2))
    (folder / "notes.co").write_text("p aux sp co 1\nv 1 1 1\n")
    packed("ends.dat.gz", b"#1:\n", b"\n" * size)
    packed("blanks.osm.gz", b"<osm version='0.6'>", b" " * size)
    (folder / "blanks.osm.bz2").write_bytes(bz2.compress(b"<osm version='0.6'>") + bz2.compress(b" " * size) * 500)
    charged = ["--epsilon", "1", "-o", "safe.csv", "--ledger", "ledger", "--dataset", "d"]
    for words in [["weights", "release", "ends.csv.gz", "--estimate", "plain", "--range", "0:9", *charged],
                  ["weights", "release", "notes.txt.gz", "--estimate", "plain", "--range", "0:9", *charged],
                  ["traces", "release", "blanks.geojson.gz", "--area", "13.3,52.4,13.5,52.6", *charged],
                  ["traces", "release", "ends.dat.gz", "--area", "0,0,1000,1000", *charged],
                  ["place", "release", "gaps.csv.gz", "--network", NETWORK, *charged],
                  *(["network", "info", name] for name in ["notes.gr.gz", "blanks.osm.gz", "blanks.osm.bz2"])]:
        start = time.monotonic()
        code, said, held = run_measured(*words, cwd=folder)
        check(" ".join(words[:3]), code == 1 and "unpacks to more than 200 times its size" in said, f"{code} {said}")
        check(" ".join(words[:3]), held < 1 << 29, f"held {held >> 20} MiB")
        check(" ".join(words[:3]), time.monotonic() - start < 20, f"took {time.monotonic() - start:.0f} s")
    check("packed nothing", entries(folder) == 0, "something was charged")


def budgets_stay_usable(folder):
    """Fractions whose common denominator has over 64 bits are rounded up, and the dataset can be charged on."""
    sample(folder, 10)
    for i, epsilon in enumerate(["9999999/999999937", "9999999/999999929", "9999999/999999893", "1/7", "0.1", "1/3"]):
        done = run("place", "release", "--network", NETWORK, "--epsilon", epsilon, "points.csv", "-o", f"safe{i}.csv", "--ledger",
                   "ledger", "--dataset", "riders", cwd=folder)
        check("odd fractions", done.returncode == 0, f"{epsilon}: {done.stderr}")
    books = run("ledger", "show", "--ledger", "ledger", "--json", cwd=folder).stdout
    check("odd fractions", entries(folder) == 6, books)
    ledger_is_sound("odd fractions", folder)


for fault in [closed_pipes, state_beside_a_stream, graph_in_pieces, trips_in_pieces, full_disk_for_the_output, full_disk_for_the_ledger, really_full_disk, folders_that_cannot_be_written, interrupted,
              small_inputs_that_would_take_the_machine, budgets_stay_usable]:
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        declare(pathlib.Path(name))
        fault(pathlib.Path(name))
print("\n".join(failures) or "every fault ends in a clear error and no output")
sys.exit(1 if failures else 0)
