#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every field of a request at, below and above its range, on the command line:   tests/refused_fields.py FOGLINE

The table is tests/refused_fields.json; src/release/refused_fields_test.cpp holds the library to the same one. A refusal names the option, exits with
2, and leaves no output."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def words(name, value):
    option = f"-{name}" if len(name) == 1 else f"--{name}"
    if value is True:
        return [option]
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in (f"{option}={one}",)] if len(name) > 1 else [option, str(value)]


def main():
    program = os.path.abspath(sys.argv[1])
    table = json.loads((pathlib.Path(__file__).parent / "refused_fields.json").read_text())
    wrong, count = [], 0
    for verb in table["verbs"]:
        for case in verb["cases"]:
            count += 1
            fields = {**verb["fields"], **case["with"]}
            with tempfile.TemporaryDirectory() as folder:
                for name, text in table["files"].items():
                    (pathlib.Path(folder) / name).write_text(text)
                subprocess.run([program, "ledger", "add", "--ledger=ledger", "--uncapped", "-q"], cwd=folder, check=True)
                command = [program, verb["kind"], verb["verb"], fields.pop("input"), "--ledger=ledger"]
                for name, value in fields.items():
                    command += words(name, value)
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
                left = sorted(set(os.listdir(folder)) - {"ledger"} - set(table["files"]))
            error = "".join(line for line in done.stderr.splitlines() if line.startswith("fogline: error: "))
            found = re.match(r"fogline: error: --?([a-z-]+)", error)
            told = found[1] if found and done.returncode == 2 else None
            if told != case["refused"] or (done.returncode == 0) != (case["refused"] is None) or (case["refused"] and left):
                wrong.append(f"{verb['kind']} {verb['verb']} {case['with']}: refused is {told}, not {case['refused']}; exit {done.returncode}; "
                             f"left {left}; {error or done.stderr[-300:]}")
    print("\n".join(wrong) or f"{count} requests, each refused or taken as it should be")
    return 1 if wrong else 0


sys.exit(main())
