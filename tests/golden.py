#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden tests of the command line.   tests/golden.py FOGLINE FILE.golden... [--update]

A file is a conversation, run in one empty folder:

    $ fogline place plan --network lattice:3x3:200 --epsilon 0.01
    what standard output must be
    ! what standard error must be
    ? 0

`? N` is the exit code (left out: 0). `{*}` in an expected line stands for any text (hashes, times). Lines that
begin with `# ` are comments. `--update` writes what was seen, keeping lines that matched.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


class Case:
    def __init__(self, command):
        self.command, self.out, self.err, self.code, self.comments = command, [], [], 0, []


def parse(text):
    cases, comments = [], []
    for line in text.splitlines():
        if line.startswith("$ "):
            cases.append(Case(line[2:]))
            cases[-1].comments, comments = comments, []
        elif line.startswith("# "):
            comments.append(line)
        elif not cases:
            continue
        elif line.startswith("? "):
            cases[-1].code = int(line[2:])
        elif line == "!" or line.startswith("! "):
            cases[-1].err.append(line[2:])
        else:
            cases[-1].out.append(line)
    for case in cases:
        while case.out and case.out[-1] == "":
            case.out.pop()
    return cases


def matches(expected, seen):
    return len(expected) == len(seen) and all(
        re.fullmatch(".*".join(re.escape(part) for part in e.split("{*}")), s) for e, s in zip(expected, seen))


def merged(expected, seen):
    """What was seen, with the expected line where it matches, so that wildcards survive an update."""
    return [next((e for e in expected if "{*}" in e and matches([e], [s])), s) for s in seen]


def run(case, folder, environment):
    done = subprocess.run(["bash", "-c", case.command], cwd=folder, env=environment, capture_output=True, text=True,
                          timeout=300)
    out = done.stdout.splitlines()
    while out and out[-1] == "":
        out.pop()
    return out, done.stderr.splitlines(), done.returncode


def check_file(path, environment, update):
    cases, failures = parse(path.read_text()), 0
    assert cases, f"{path}: no case"
    with tempfile.TemporaryDirectory() as folder:
        environment = environment | {"HOME": folder, "XDG_DATA_HOME": f"{folder}/.local/share"}
        for case in cases:
            out, err, code = run(case, folder, environment)
            if matches(case.out, out) and matches(case.err, err) and case.code == code:
                continue
            failures += 1
            if not update:
                print(f"--- {path.name}: $ {case.command}\nexpected exit {case.code}:")
                print("\n".join(case.out + ["! " + e for e in case.err]))
                print(f"seen exit {code}:")
                print("\n".join(out + ["! " + e for e in err]), "\n")
            case.out, case.err, case.code = merged(case.out, out), merged(case.err, err), code
    if update and failures:
        path.write_text("\n\n".join(
            "\n".join(c.comments + ["$ " + c.command] + c.out + [("! " + e).rstrip() for e in c.err] +
                      ([f"? {c.code}"] if c.code else [])) for c in cases) + "\n")
    print(f"{path.name}: {len(cases) - failures} of {len(cases)} as expected")
    return failures


def main():
    words = [w for w in sys.argv[1:] if w != "--update"]
    binary = pathlib.Path(words[0]).resolve()
    environment = {**os.environ, "PATH": f"{binary.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    failures = sum(check_file(pathlib.Path(f).resolve(), environment, "--update" in sys.argv) for f in words[1:])
    sys.exit(1 if failures else 0)


main()
