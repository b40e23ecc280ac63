#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks questions of private files by releases that are refused:   tests/guarded.py PROGRAM

Each probe is asked of several private files that differ. With a spent budget the answers must be the same whatever the file holds: exit code, text, files and ledger. With a budget and `--guarded`,
files that are refused for different reasons must be refused alike, and each refusal is paid for."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
MODEL = "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n"
TRIPS = "user_id,traj_id,lon,lat\n" + "".join(
    f"{trip % 5},{trip},{0.001 * (trip % 7 + point):.4f},{0.001 * (trip % 5 + point):.4f}\n" for trip in range(40) for point in range(6))
PUBLIC = {"model.csv": MODEL, "net.csv": "source,target\na,b\nb,c\nc,d\na,d\n", "prior.csv": "vertex,probability\n0,1\n"}
POINTS = "user_id,lon,lat\n1,0.0017966,0.0009044\n2,0.0008983,-0.0009044\n"

# Name, arguments without the input, a file that is released, and files that are refused, each for another reason.
PROBES = [
    ("a position near the network", "place release --network lattice:5x5:400 --epsilon 0.01 --max-snap 50 --anyway", POINTS,
     [POINTS.replace("0.0017966", "3.5"), POINTS.replace("0.0009044\n2", "x\n2"), "lon\n1\n", POINTS.replace("0.0017966", "")]),
    ("how many reports a person has", "place release --network lattice:5x5:400 --epsilon 0.01 --reports-per-person 1 --anyway", POINTS,
     [POINTS.replace("2,0.0008983", "1,0.0008983"), POINTS.replace("2,0.0008983", ",0.0008983")]),
    ("a guess of the whole file", "place release --network lattice:5x5:400 --epsilon 0.01 --prior prior.csv --anyway", POINTS,
     [PUBLIC["prior.csv"], POINTS.replace("0.0017966", "8.5")]),
    ("a weight above the range", "weights release --range 0:10 --epsilon 1 --anyway", "source,target,weight\na,b,3\nb,c,7\n",
     ["source,target,weight\na,b,3\nb,c,11\n", "source,target,weight\na,b,3.5\nb,c,7\n", "source,target,weight\na,b,3\na,b,7\n"]),
    ("a road of the route", "path release --network net.csv --epsilon-edges 1", "vertex\na\nb\nc\n",
     ["vertex\na\nc\nb\n", "vertex\na\nb\na\n", "vertex\na\nb\nz\n"]),
    ("a place visited twice", "path release --network net.csv --epsilon-edges 1 --visits 2", "vertex\na\nb\nc\nd\na\n",
     ["vertex\na\nb\na\nb\na\nb\n", "vertex\na\n"]),
    ("a state of the model", "stream release --model model.csv --policy complete --epsilon 1 --anyway", "state\nhall\nlab\n",
     ["state\nhall\nroof\n", "state\nhall\n\"\n", "sequence,state\n1,hall\n,lab\n"]),
    ("a trip in the area", "traces release --area 0,0,0.02,0.02 --epsilon 5 --trips-to-make 9 --anyway", TRIPS,
     [TRIPS.replace("0.0", "9.0"), TRIPS.replace("0.0010", "x"), "\"" + TRIPS]),
]


def ask(arguments, content, budget, guarded):
    """All that comes out."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in PUBLIC.items():
            (folder / file).write_text(text)
        (folder / "private.csv").write_text(content)
        measure = "epsilon-per-metre" if arguments.startswith("place") else "epsilon"
        subprocess.run([PROGRAM, "ledger", "cap", "--ledger", "l", "--dataset", "d", f"--{measure}", budget, "-q"], cwd=folder, check=True,
                       capture_output=True)
        words = arguments.split()
        found = subprocess.run([PROGRAM, *words[:2], "private.csv", *words[2:], "-o", "out" + (".json" if words[0] == "path" else ".csv"),
                                "--ledger", "l", "--dataset", "d", *(["--guarded"] if guarded else [])], cwd=folder, capture_output=True, text=True)
        shown = subprocess.run([PROGRAM, "ledger", "show", "--ledger", "l", "--entries"], cwd=folder, capture_output=True, text=True)
        files = sorted(file.name for file in folder.iterdir() if not file.name.startswith("l-"))
        ledger = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?Z?|[0-9a-f]{32,64}", "", shown.stdout)
        return found.returncode, found.stdout, found.stderr, files, ledger


def main():
    wrong, asked = [], 0
    for name, arguments, good, bad in PROBES:
        open_answer = ask(arguments, good, "1000", True)
        if open_answer[0] != 0:
            wrong.append(f"{name}: the file that is right is refused: {open_answer[2]}")
        spent = [ask(arguments, content, "0", guarded) for content in (good, *bad) for guarded in (False, True)]
        refused = [ask(arguments, content, "1000", True) for content in bad]
        plain = [ask(arguments, content, "1000", False) for content in bad]
        asked += 1 + len(spent) + len(refused) + len(plain)
        if any(answer != spent[0] for answer in spent) or spent[0][0] != 3:
            wrong.append(f"{name}: with a spent budget the answers differ: {sorted({str(answer[:3]) for answer in spent})}")
        if any(answer != refused[0] for answer in refused) or refused[0][0] == 0:
            wrong.append(f"{name}: guarded, the answers differ: {sorted({str(answer) for answer in refused})}")
        if "does not say why" not in refused[0][2] or "out" in "".join(refused[0][3]):
            wrong.append(f"{name}: guarded, the answer is {refused[0]}")
        if any(answer[0] == 0 for answer in plain):
            wrong.append(f"{name}: a file that should be refused is released")
    for sentence in wrong:
        print(sentence)
    print(f"{asked} questions by {len(PROBES)} probes, {len(wrong)} answers tell of a private file")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
