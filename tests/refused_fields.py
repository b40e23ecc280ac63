#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every field of a request at, below and above its range, on the command line:   tests/refused_fields.py FOGLINE

The table is tests/refused_fields.json; src/release/refused_fields_test.cpp and src/api/refused_fields_test.cpp hold the library and its public interface to
the same one, and to the code "invalid-option", which a shell knows as exit code 2. A refusal names the option and leaves no output."""
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
        releases = "input" in verb["fields"]
        for case in verb["cases"]:
            if not case.get("run", True):  # would take hours: the library looks at its range alone
                continue
            count += 1
            fields = {**verb["fields"], **case["with"]}
            with tempfile.TemporaryDirectory() as folder:
                for name, text in table["files"].items():
                    (pathlib.Path(folder) / name).write_text(text)
                command = [program, *filter(None, (verb["kind"], verb["verb"]))]
                if releases:
                    subprocess.run([program, "ledger", "add", "--ledger=ledger", "--uncapped", "-q"], cwd=folder, check=True)
                    command.append("--ledger=ledger")
                command += [fields.pop(name) for name in verb.get("positional", ["input"] if releases else [])]
                for name, value in fields.items():
                    command += words(name, value)
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
                left = sorted(set(os.listdir(folder)) - {"ledger"} - set(table["files"]))
            error = "".join(line for line in done.stderr.splitlines() if line.startswith("fogline: error: "))
            found = re.match(r"fogline: error: --?([a-z-]+)", error)
            told = found[1] if found and done.returncode == 2 else None
            # An analysis that was taken may find something: 1, or 4 for what is not shown.
            taken = done.returncode == 0 if releases else done.returncode in (0, 1, 4) and not error
            if told != case["refused"] or taken != (case["refused"] is None) or (case["refused"] and left):
                wrong.append(f"{verb['kind']} {verb['verb']} {case['with']}: refused is {told}, not {case['refused']}; exit {done.returncode}; "
                             f"left {left}; {error or done.stderr[-300:]}")
    print("\n".join(wrong) or f"{count} requests, each refused or taken as it should be")
    return 1 if wrong else 0


sys.exit(main())
