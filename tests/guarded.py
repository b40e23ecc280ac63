#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks questions of private files by releases that are refused:   tests/guarded.py PROGRAM [--timing PAIRS]

Each probe is asked of several private files that differ. With a spent budget the answers must be the same whatever the file holds: exit code, text, files and ledger. With a budget and `--guarded`,
files that are refused for different reasons must be refused alike, and each refusal is paid for: by as much as a release that is accepted. Whatever is wrong with public things (a release that is not
worth its budget, a broken file of rules) is told before the records are looked at: alike for all of them, at no cost. Rules that would tell for certain are not to be had. After as many refusals as the
curator allows nothing is opened. And every mechanism of every kind releases what it is given, guarded too, live or not.

With --timing it measures instead how long the answers take, for two files in turn and in random order, and prints what docs/results/trust.md records.
TMPDIR=/dev/shm keeps the disk's syncs out of the clock."""
import argparse
import json
import math
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

OPTIONS = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
OPTIONS.add_argument("program")
OPTIONS.add_argument("--timing", type=int, metavar="PAIRS", help="measure so many pairs of runs for each probe")
OPTIONS.add_argument("--only", default="", metavar="TEXT", help="of --timing: the probes whose name holds it")
OPTIONS = OPTIONS.parse_args()
PROGRAM = os.path.abspath(OPTIONS.program)
MODEL = "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n"
TRIPS = "user_id,traj_id,lon,lat\n" + "".join(
    f"{trip % 5},{trip},{0.001 * (trip % 7 + point):.4f},{0.001 * (trip % 5 + point):.4f}\n" for trip in range(40) for point in range(6))
PUBLIC = {"model.csv": MODEL, "net.csv": "source,target\na,b\nb,c\nc,d\na,d\n", "prior.csv": "vertex,probability\n0,1\n", "broken.json": "{\"type\": 7}\n",
          "rooms.csv": "state,category\nhall,1\nlab,2\n"}
POINTS = "user_id,lon,lat\n1,0.0017966,0.0009044\n2,0.0008983,-0.0009044\n"

# Name, arguments without the input, a file that is released, files that are refused, each for another reason, and files that are refused unless the release is guarded:
# then what is wrong with them is moved or left out by rule.
PROBES = [
    ("a position near the network", "place release --network lattice:5x5:400 --epsilon 0.01 --max-snap 50 --anyway", POINTS,
     [POINTS.replace("0.0009044\n2", "x\n2"), "lon\n1\n", POINTS.replace("0.0017966", "")], [POINTS.replace("0.0017966", "3.5")]),
    ("how many reports a person has", "place release --network lattice:5x5:400 --epsilon 0.01 --persons column --per-person 1 --anyway", POINTS,
     [POINTS.replace("2,0.0008983", ",0.0008983"), POINTS.replace("0.0008983", "x")], [POINTS.replace("2,0.0008983", "1,0.0008983")]),
    ("a guess of the whole file", "place release --network lattice:5x5:400 --epsilon 0.01 --prior prior.csv --anyway", POINTS,
     [PUBLIC["prior.csv"], POINTS.replace("0.0017966", "x")], [POINTS.replace("0.0017966", "8.5")]),
    ("a weight above the range", "weights release --range 0:10 --epsilon 1 --anyway", "source,target,weight\na,b,3\nb,c,7\n",
     ["source,target,weight\na,b,3.5\nb,c,7\n", "source,target,weight\na,b,3\na,b,7\n"], ["source,target,weight\na,b,3\nb,c,11\n"]),
    ("a road of the route", "path release --network net.csv --epsilon-edges 1 --two-sided", "vertex\na\nb\nc\n",
     ["vertex\na\nc\nb\n", "vertex\na\nb\na\n", "vertex\na\nb\nz\n"], []),
    ("a state of the model", "stream release --model model.csv --policy complete --epsilon 1 --anyway", "state\nhall\nlab\n",
     ["state\nhall\nroof\n", "state\nhall\n\"\n", "sequence,state\n1,hall\n,lab\n"], []),
    ("how many sequences a person has", "stream release --model model.csv --policy complete --epsilon 1 --persons column --per-person 1 --steps 2 --anyway",
     "user_id,sequence,state\n1,1,hall\n2,1,lab\n", ["user_id,sequence,state\n1,1,hall\n,1,lab\n", "user_id,sequence,state\n1,1,hall\n2,1,roof\n"],
     ["user_id,sequence,state\n1,1,hall\n1,2,lab\n", "user_id,sequence,state\n1,1,hall\n1,1,lab\n1,1,lab\n"]),
    ("a trip in the area", "traces release --area 0,0,0.02,0.02 --epsilon 5 --trips-to-make 9 --anyway", TRIPS,
     [TRIPS.replace("0.0010", "x"), "\"" + TRIPS], [TRIPS.replace("0.0", "9.0")]),
    ("whether a graph is a tree", "weights distances --range 0:10 --epsilon 1 --method tree", "source,target,weight\na,b,3\nb,c,7\n",
     ["source,target,weight\na,b,3\nb,c,7\na,c,1\n", "source,target,weight\na,b,x\n"], ["source,target,weight\na,b,3\nb,c,11\n"]),
]

# Name of a probe, and what is added to its arguments (or, after -, taken away from them): public things that are wrong, and rules that would tell. Alike for all files, and free.
FREE = [
    ("a position near the network", "--epsilon 0.0001 - --anyway", 2),
    ("a position near the network", "--too-far refuse", 2),
    ("a position near the network", "--too-far leave-out", 2),
    ("a position near the network", "--keep user_id", 2),
    ("a position near the network", "--csv-header user_id,lon,lat", 2),
    ("how many reports a person has", "--columns user=lon,lon=user_id", 2),
    ("a weight above the range", "--columns source=weight,weight=source", 2),
    ("a trip in the area", "--columns trip=user_id,user=none", 2),
    ("a position near the network", "--keep user_id,traj_id,t", 2),
    ("how many reports a person has", "--too-many refuse", 2),
    ("a weight above the range", "--out-of-range refuse", 2),
    ("a weight above the range", "--epsilon 0.0001 - --anyway", 2),
    ("a weight above the range", "--published --mechanism lap", 2),
    ("whether a graph is a tree", "--out-of-range refuse", 2),
    ("a state of the model", "--epsilon 0.0001 - --anyway", 2),
    ("a state of the model", "--policy category:rooms.csv --repair none - --policy complete", 2),
    ("a state of the model", "--policy category:rooms.csv - --policy complete", 2),
    ("a state of the model", "--policy transition - --policy complete", 2),
    ("a state of the model", "--policy util:1 --repair none - --policy complete", 2),
    ("how many sequences a person has", "--too-many refuse", 2),
    ("a trip in the area", "--constraints broken.json", 1),
    ("a road of the route", "--persons column --per-person 1", 2),
    ("a road of the route", "- --two-sided", 2),
]

# Guarded and accepted: every mechanism, and what is built while records are taken is used after that.
WEIGHTS, STATES = PROBES[3][2], PROBES[5][2]
ACCEPTED = (
    [(f"place release --network lattice:5x5:400 --epsilon 0.01 --anyway --mechanism {name}", POINTS) for name in ("gem", "tight", "optimal", "plmg", "plm")]
    + [(f"weights release --range 0:10 --epsilon 1 --anyway --mechanism {name}", WEIGHTS) for name in ("blocks", "geometric", "staircase")]
    + [("weights release --range 0:10 --epsilon 1 --anyway --unit change", WEIGHTS), ("weights release --range 0:10 --epsilon 1 --anyway --prior noisy", WEIGHTS)]
    + [(f"weights distances --range 0:10 --epsilon 1 --method {name}", WEIGHTS) for name in ("auto", "edges", "noise", "tree", "separators")]
    + [(f"stream release --model model.csv --policy complete --epsilon 1 --anyway --mechanism {name}", STATES) for name in ("auto", "optimal", "k-norm", "laplace")]
    + [("path release --network net.csv --epsilon-edges 1 --two-sided", PROBES[4][2])]
    + [("traces release --area 0,0,0.02,0.02 --epsilon 5 --trips-to-make 9 --anyway", TRIPS)])


# The private file, given as if it were public: its name alone decides, whatever it holds and however little may be read. None: a pipe, which waits for ever if it is opened.
NAMED = [
    "place release --network private.csv --epsilon 0.01 --anyway",
    "place release --kernel private.csv --anyway",
    "place release --network lattice:5x5:400 --epsilon 0.01 --anyway --prior private.csv",
    "place release --network lattice:5x5:400 --epsilon 0.01 --anyway --range private.csv",
    "place release --network lattice:5x5:400 --epsilon 0.01 --anyway --mechanism private.csv",
    "path release --network private.csv --epsilon-edges 1 --two-sided",
    "stream release --model private.csv --policy complete --epsilon 1 --anyway",
    "stream release --model model.csv --policy category:private.csv --epsilon 1 --anyway",
    "traces release --area 0,0,0.02,0.02 --epsilon 5 --anyway --constraints private.csv",
] + [f"{arguments} --sign private.csv" for _, arguments, *_ in PROBES]
HELD = ["", "x", "a\x00b\n", "{\"format\": 1}\n", POINTS, "source,target,lon,lat\n" + "a,b,1,2\n" * 40, None]
READ_LITTLE = [" --limits bytes=30", " --limits columns=1,line=9"]

# For clocks alone: reading stops at the first line, or at the last of many.
MANY = 200_000
LONG = ("where a long file goes wrong", PROBES[0][1], "user_id,lon,lat\n" + "1,0.0017966,0.0009044\n" * MANY,
        ["user_id,lon,lat\n1,x,0\n" + "1,0.0017966,0.0009044\n" * MANY, "user_id,lon,lat\n" + "1,0.0017966,0.0009044\n" * MANY + "1,x,0\n"], [])


def prepare(folder, arguments, budget):
    for file, text in PUBLIC.items():
        (folder / file).write_text(text)
    measure = "epsilon-per-metre" if arguments.startswith("place") else "epsilon"
    subprocess.run([PROGRAM, "ledger", "cap", "--ledger", "l", "--dataset", "d", f"--{measure}", budget, "-q"], cwd=folder, check=True,
                   capture_output=True)


def command(arguments, guarded):
    words = arguments.split()
    return [PROGRAM, *words[:2], "private.csv", *words[2:], "-o", "out" + (".json" if words[0] == "path" else ".csv"),
            "--ledger", "l", "--dataset", "d", *(["--guarded"] if guarded else [])]


def ask(arguments, content, budget, guarded):
    """All that comes out. Without content the file is a pipe into which nobody writes: who opens it waits for ever."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder, arguments, budget)
        if content is None:
            os.mkfifo(folder / "private.csv")
        else:
            (folder / "private.csv").write_text(content)
        found = subprocess.run(command(arguments, guarded), cwd=folder, capture_output=True, text=True, timeout=300)
        shown = subprocess.run([PROGRAM, "ledger", "show", "--ledger", "l", "--entries"], cwd=folder, capture_output=True, text=True)
        files = sorted(file.name for file in folder.iterdir() if not file.name.startswith("l-"))
        ledger = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?Z?|[0-9a-f]{32,64}", "", shown.stdout)
        return found.returncode, found.stdout, found.stderr, files, ledger


def measure(words, folder, code):
    """Milliseconds by the clock, and of the processor."""
    begin = time.perf_counter()
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    clock = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == code, f"{words} ended with {process.returncode}"
    return 1000 * clock, 1000 * (used.ru_utime + used.ru_stime)


def compare(pairs):
    """Mean of the first, difference of the second to it, half of its 95 % interval (Student), and p by flipping signs at random."""
    differences = [second - first for first, second in pairs]
    count, tries = len(differences), 9999
    degrees, normal = count - 1, statistics.NormalDist().inv_cdf(0.975)
    student = normal + (normal**3 + normal) / (4 * degrees) + (5 * normal**5 + 16 * normal**3 + 3 * normal) / (96 * degrees**2)
    half = student * statistics.stdev(differences) / math.sqrt(count)
    flipped = (sum(map(math.prod, zip(random.choices((-1, 1), k=count), differences))) for _ in range(tries))
    beyond = sum(abs(total) >= abs(sum(differences)) for total in flipped)
    return statistics.mean(first for first, _ in pairs), statistics.mean(differences), half, (beyond + 1) / (tries + 1)


def holm(chances):
    """Each p as it counts among so many questions."""
    corrected, least = {}, 0.0
    for rank, (name, chance) in enumerate(sorted(chances.items(), key=lambda item: item[1])):
        least = corrected[name] = max(least, min(1.0, (len(chances) - rank) * chance))
    return corrected


def opened(words, folder):
    """How often the private file was opened, as the kernel saw it."""
    if not shutil.which("strace"):
        return "not seen"
    subprocess.run(["strace", "-f", "-e", "trace=open,openat,openat2", "-o", "calls", *words], cwd=folder, capture_output=True)
    return (folder / "calls").read_text().count('private.csv"')


def timing(title, budget, code, pick):
    rows, chances = [], {}
    for name, arguments, good, bad, _ in [probe for probe in [*PROBES, LONG] if OPTIONS.only in probe[0]]:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            prepare(folder, arguments, budget)
            ledger, words, contents = (folder / "l").read_bytes(), command(arguments, True), pick(good, bad)

            def run(content, how=lambda: measure(words, folder, code)):
                (folder / "l").write_bytes(ledger)
                (folder / "private.csv").write_text(content)
                return how()

            times = []
            for _ in range(OPTIONS.timing):
                order = random.sample((0, 1), 2)
                taken = {which: run(contents[which]) for which in order}
                times.append((taken[0], taken[1]))
            found = [compare([(first[i], second[i]) for first, second in times]) for i in (0, 1)]
            rows.append((name, found, run(contents[0], lambda: opened(words, folder))))
            chances.update({(name, i): found[i][3] for i in (0, 1)})
    corrected = holm(chances)
    print(f"\n{title}, {OPTIONS.timing} pairs\n\n| probe | by the clock, ms | the other file | p | of the processor, ms | the other file | p | opened |")
    print("|---|---|---|---|---|---|---|---|")
    for name, found, opens in rows:
        cells = [f"{mean:.2f} | {difference:+.2f} ± {half:.2f} | {corrected[name, i]:.2g}" for i, (mean, difference, half, _) in enumerate(found)]
        print(f"| {name} | {' | '.join(cells)} | {opens} |", flush=True)


def books(folder):
    """What the dataset has spent, and how many answers may tell."""
    shown = subprocess.run([PROGRAM, "ledger", "show", "--ledger", "l", "--json"], cwd=folder, capture_output=True, text=True)
    book = json.loads(shown.stdout)["datasets"]["d"]
    return book["plain"]["spent"], book["per_metre"]["spent"], book["guarded"]["refusals"] + book["guarded"]["open"]


def spent_for(arguments, content):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder, arguments, "1000")
        (folder / "private.csv").write_text(content)
        found = subprocess.run(command(arguments, True), cwd=folder, capture_output=True, text=True, timeout=300)
        return (*books(folder), found.returncode == 0)


def check_price(wrong):
    """Accepted or refused, a guarded request costs the same; and the refusals are counted."""
    asked = 0
    for name, arguments, good, bad, moved in PROBES:
        for content in (good, *bad, *moved):
            plain, per_metre, told, is_released = spent_for(arguments, content)
            usual = spent_for(arguments, good)
            asked += 2
            if (plain, per_metre) != usual[:2] or (plain, per_metre) == ("0", "0") or told != (0 if is_released else 1):
                wrong.append(f"{name}: {'accepted' if is_released else 'refused'}, it costs {plain} and {per_metre} per metre, and {usual[:2]} otherwise; {told} answers are counted")
    return asked


def check_free(wrong):
    """What is public fails before the records are looked at: alike, and at no cost."""
    asked = 0
    probes = {probe[0]: probe[1:] for probe in PROBES}
    for name, change, code in FREE:
        arguments, good, bad, moved = probes[name]
        more, _, less = change.partition("- ")
        words = arguments.replace(less.strip(), "") if less else arguments
        answers = [ask(f"{words} {more}", content, "1000", True) for content in (good, *bad, *moved, None)]
        asked += len(answers)
        if any(answer != answers[0] for answer in answers) or answers[0][0] != code or "charge " in answers[0][4]:
            wrong.append(f"{name} {change}: what is public answers differently: {sorted({str(answer[:3]) for answer in answers})}")
    return asked


def check_accepted(wrong):
    """Every mechanism releases; a live stream answers, and what is wrong with a later state is not told."""
    for arguments, content in ACCEPTED:
        answer = ask(arguments, content, "1000", True)
        if answer[0] != 0 or "out" not in "".join(answer[3]):
            wrong.append(f"{arguments}: guarded, it ends with {answer[0]}: {answer[2]}")
    for states, code in ((STATES, 0), ("state\nhall\nroof\n", 1), ("place\nhall\n", 1)):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            arguments = PROBES[5][1]
            prepare(folder, arguments, "1000")
            words = [PROGRAM, *arguments.split()[:2], "-", *arguments.split()[2:], "-o", "-", "--ledger", "l", "--dataset", "d", "--guarded"]
            found = subprocess.run(words, cwd=folder, capture_output=True, text=True, input=states, timeout=300)
            if found.returncode != code or "roof" in found.stderr or books(folder)[0] != "1" or books(folder)[2] != code:
                wrong.append(f"live, {states!r}: {found.returncode}, {found.stderr}, {books(folder)}")
    return len(ACCEPTED) + 3


# Live positions: what is asked after a header and a line that is right; and what each costs.
LIVE_HEADER, LIVE_GOOD = "lon,lat\n", "0.0017966,0.0009044\n"
LIVE_BAD = ["5,oops\n", "\x00\n", "1,\x002\n", "1," + "1" * 300 + "\n", ",\n"]


def ask_live(lines, budget, guarded):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder, "place", budget)
        words = [PROGRAM, "place", "release", "--live", "-", "--network", "lattice:5x5:400", "--mechanism", "gem", "--epsilon", "0.01", "--anyway", "-o", "-",
                 "--limits", "line=200", "--ledger", "l", "--dataset", "d", *(["--guarded"] if guarded else [])]
        found = subprocess.run(words, cwd=folder, capture_output=True, text=True, input=lines, timeout=300)
        spent = books(folder)
        return (found.returncode, found.stdout.count("\n"), found.stderr), (spent[1], spent[2])


def check_live_places(wrong):
    """A line is judged when it is paid for, and not over the cap; what is wrong with it nobody is told."""
    asked = 0
    for lines, answers, spent in ((LIVE_HEADER + LIVE_GOOD + LIVE_GOOD, 3, ("0.02", 0)), (LIVE_HEADER + LIVE_GOOD + "5,5\n", 3, ("0.02", 0))):
        found, paid = ask_live(lines, "1000", True)
        asked += 1
        if found[:2] != (0, answers) or paid != spent:
            wrong.append(f"live places, {lines!r}: {found}, {paid}")
    for before, spent in (("", "0.01"), (LIVE_GOOD, "0.02")):
        refused = [ask_live(LIVE_HEADER + before + bad, "1000", True) for bad in LIVE_BAD]
        asked += len(refused)
        if any(answer != refused[0] for answer in refused) or refused[0][1] != (spent, 1) or "does not say why" not in refused[0][0][2]:
            wrong.append(f"live places, guarded, the answers differ: {sorted({str(answer) for answer in refused})}")
    over = [ask_live(LIVE_HEADER + LIVE_GOOD + line, "0.015", guarded) for line in (LIVE_GOOD, "5,5\n", *LIVE_BAD) for guarded in (False, True)]
    asked += len(over)
    # The first answer says which columns were found, if it is not guarded.
    plain, guarded = over[::2], over[1::2]
    if any(answer != plain[0] for answer in plain) or any(answer != guarded[0] for answer in guarded) or plain[0][0][0] != 3 or guarded[0][0][0] != 3:
        wrong.append(f"live places, over the cap, the answers differ: {sorted({str(answer) for answer in over})}")
    return asked


def check_named(wrong):
    """A private file that is named as a public one is neither opened nor paid for, guarded or not, with a budget or without."""
    asked = 0
    for arguments in NAMED:
        for budget, guarded in (("0", False), ("0", True), ("1000", True)):
            answers = [ask(arguments, held, budget, guarded) for held in HELD]
            answers += [ask(arguments + little, POINTS, budget, guarded) for little in READ_LITTLE]
            asked += len(answers)
            if any(answer != answers[0] for answer in answers) or answers[0][0] != 2 or "charge " in answers[0][4]:
                wrong.append(f"{arguments}, guarded {guarded}: a file that is named as public answers differently: {sorted({str(answer[:3]) for answer in answers})}")
    return asked


def check_count(wrong):
    """After as many refusals as there may be, nothing is opened."""
    name, arguments, good, bad, _ = PROBES[0]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        prepare(folder, arguments, "1000")
        (folder / "private.csv").write_text(bad[0])
        codes = [subprocess.run(command(arguments, True), cwd=folder, capture_output=True).returncode for _ in range(10)]
        (folder / "private.csv").unlink()
        os.mkfifo(folder / "private.csv")
        codes.append(subprocess.run(command(arguments, True), cwd=folder, capture_output=True, timeout=300).returncode)
        subprocess.run([PROGRAM, "ledger", "cap", "--ledger", "l", "--dataset", "d", "--refusals", "11", "-q"], cwd=folder, check=True, capture_output=True)
        (folder / "private.csv").unlink()
        (folder / "private.csv").write_text(good)
        codes.append(subprocess.run(command(arguments, True), cwd=folder, capture_output=True).returncode)
    if codes != [1] * 10 + [3, 0]:
        wrong.append(f"{name}: asked again and again, it ends with {codes}")
    return len(codes)


def main():
    wrong, asked = [], 0
    for name, arguments, good, bad, moved in PROBES:
        open_answer = ask(arguments, good, "1000", True)
        if open_answer[0] != 0:
            wrong.append(f"{name}: the file that is right is refused: {open_answer[2]}")
        spent = [ask(arguments, content, "0", guarded) for content in (good, *bad, *moved) for guarded in (False, True)]
        spent.append(ask(arguments, None, "0", True))
        refused = [ask(arguments, content, "1000", True) for content in bad]
        plain = [ask(arguments, content, "1000", False) for content in (*bad, *moved)]
        ruled = [ask(arguments, content, "1000", True) for content in moved]
        asked += 1 + len(spent) + len(refused) + len(plain) + len(ruled)
        if any((answer[0], answer[3]) != (0, open_answer[3]) for answer in ruled):
            wrong.append(f"{name}: guarded, what can be moved or left out is refused: {[answer[:3] for answer in ruled]}")
        if any(answer != spent[0] for answer in spent) or spent[0][0] != 3:
            wrong.append(f"{name}: with a spent budget the answers differ: {sorted({str(answer[:3]) for answer in spent})}")
        if any(answer != refused[0] for answer in refused) or refused[0][0] == 0:
            wrong.append(f"{name}: guarded, the answers differ: {sorted({str(answer) for answer in refused})}")
        if "does not say why" not in refused[0][2] or "out" in "".join(refused[0][3]):
            wrong.append(f"{name}: guarded, the answer is {refused[0]}")
        if any(answer[0] == 0 for answer in plain):
            wrong.append(f"{name}: a file that should be refused is released")
    asked += check_price(wrong) + check_free(wrong) + check_accepted(wrong) + check_live_places(wrong) + check_named(wrong) + check_count(wrong)
    for sentence in wrong:
        print(sentence)
    print(f"{asked} questions by {len(PROBES)} probes, {len(wrong)} answers tell of a private file")
    return 1 if wrong else 0


if __name__ == "__main__":
    if OPTIONS.timing:
        timing("Budget spent: a file that is right, and one that is not", "0", 3, lambda good, bad: (good, bad[0]))
        timing("Budget left, guarded: two files that are refused for different reasons", "1000", 1, lambda good, bad: (bad[0], bad[1]))
    else:
        sys.exit(main())
