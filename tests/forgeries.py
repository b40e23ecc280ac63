#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Forges releases of every kind:   tests/forgeries.py PROGRAM

Of each kind two signed releases are made, and one by a stranger with a ledger and a key of his own. Whatever is then changed, `verify` with the ledger and the
office's key must not say that it is settled and signed; the releases as they are, it must."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
FILES = {
    "points.csv": "lon,lat\n" + "0,0\n0.001,0\n" * 20,
    "model.csv": "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n",
    "states.csv": "state\n" + "hall\nlab\nlab\n" * 20,
    # So long that two releases never are the same by chance: then one would be as good as the other.
    "net.csv": "source,target\n" + "".join(f"v{i},v{i + 1}\n" for i in range(30)),
    "route.csv": "vertex\n" + "".join(f"v{i}\n" for i in range(20)),
    "graph.csv": "source,target,weight\n" + "".join(f"v{i},v{i + 1},{i % 10}\n" for i in range(60)),
    "trips.csv": "traj_id,lon,lat\n" + "".join(
        f"{trip},{0.001 * (trip % 7 + point):.4f},{0.001 * (trip % 5 + point):.4f}\n" for trip in range(40) for point in range(6)),
}
# Kind, private file, output, the rest of the command.
RELEASES = [
    ("place", "points.csv", "safe.csv", "--network line:9:400 --mechanism gem --epsilon 0.02"),
    ("stream", "states.csv", "safe.csv", "--model model.csv --policy complete --epsilon 1"),
    ("path", "route.csv", "safe.json", "--network net.csv --epsilon-edges 1"),
    ("weights", "graph.csv", "safe.csv", "--range 0:10 --epsilon 1"),
    ("traces", "trips.csv", "safe.csv", "--area 0,0,0.02,0.02 --epsilon 5 --trips-to-make 9"),
]


def fogline(folder, words):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / ".data")})


def make(folder, kind, private, output, more, ledger, key):
    done = fogline(folder, [kind, "release", private, *more.split(), "-o", output, "--ledger", ledger, "--sign", key, "--anyway"]
                   if kind != "path" else [kind, "release", private, *more.split(), "-o", output, "--ledger", ledger, "--sign", key])
    assert done.returncode == 0, done.stderr


class Forger:
    """A folder with honest releases, in which one thing at a time is changed."""

    def __init__(self, folder, private, output):
        self.folder, self.private, self.output = folder, private, output
        self.statement_file = folder / f"{output}.statement.json"
        self.other_file = folder / f"second_{output}.statement.json"

    def statement(self):
        return json.loads(self.statement_file.read_text())

    def write(self, statement):
        self.statement_file.write_text(json.dumps(statement, indent=2, ensure_ascii=False) + "\n")

    def change(self, edit):
        statement = self.statement()
        edit(statement)
        self.write(statement)

    def put_output(self, data, name_it):
        (self.folder / self.output).write_bytes(data)
        if name_it:
            self.change(lambda s: s["outputs"][0].update(sha256=hashlib.sha256(data).hexdigest()))

    def forgeries(self):
        honest = (self.folder / self.output).read_bytes()
        private = (self.folder / self.private).read_bytes()
        other = json.loads(self.other_file.read_text())
        stranger = json.loads((self.folder / f"stranger_{self.output}.statement.json").read_text())
        return {
            "the private file": lambda: self.put_output(private, False),
            "the private file, named": lambda: self.put_output(private, True),
            "an output that was cut, named": lambda: self.put_output(honest[:len(honest) // 2], True),
            "a byte more, named": lambda: self.put_output(honest + b"\n", True),
            "half of epsilon": lambda: self.statement_file.write_text(
                self.statement_file.read_text().replace('"epsilon": "', '"epsilon": "0.0')),
            "another dataset": lambda: self.change(lambda s: s["ledger"].update(dataset="riders")),
            "another entry": lambda: self.change(lambda s: s["ledger"].update(entry=other["ledger"]["entry"])),
            "the entry of the other release": lambda: self.change(lambda s: s.update(ledger=other["ledger"])),
            "no signature": lambda: self.change(lambda s: s.pop("signature")),
            "the signature of the other release": lambda: self.change(lambda s: s.update(signature=other["signature"])),
            "a stranger's signature": lambda: self.change(lambda s: s.update(signature=stranger["signature"])),
            "an endorsement by the office": lambda: self.change(lambda s: s.update(signature={
                **stranger["signature"], "endorsements": [s["signature"]]})),
            "a sentence less": lambda: self.change(lambda s: s["not_protected"].pop()),
            "the statement of the other release": lambda: shutil.copy(self.other_file, self.statement_file),
            "a stranger's release": lambda: (shutil.copy(self.folder / f"stranger_{self.output}", self.folder / self.output),
                                             self.write({**stranger, "outputs": [{**stranger["outputs"][0], "name": self.output},
                                                                                 *stranger["outputs"][1:]]})),
        }

    def verdict(self):
        done = fogline(self.folder, ["verify", self.output, "--ledger", "l", "--trust", "office.pub", "--json"])
        grade = json.loads(done.stdout)["grade"] if done.stdout else "refused"
        return done.returncode, grade, done.stderr


def main():
    wrong, tried = [], 0
    with tempfile.TemporaryDirectory() as name:
        for kind, private, output, more in RELEASES:
            made = pathlib.Path(name) / kind
            made.mkdir()
            for file, text in FILES.items():
                (made / file).write_text(text)
            for key, ledger in (("office.key", "l"), ("stranger.key", "m")):
                assert fogline(made, ["key", "make", "-o", key, "-q"]).returncode == 0
                assert fogline(made, ["ledger", "add", "--ledger", ledger, "--uncapped", "-q"]).returncode == 0
            make(made, kind, private, output, more, "l", "office.key")
            make(made, kind, private, "second_" + output, more, "l", "office.key")
            make(made, kind, private, "stranger_" + output, more, "m", "stranger.key")
            code, grade, said = Forger(made, private, output).verdict()
            if (code, grade) != (0, "settled and signed"):
                wrong.append(f"{kind}: an honest release is {grade} ({code}) {said}")
            for what in Forger(made, private, output).forgeries():
                tried += 1
                folder = pathlib.Path(name) / "forged"
                shutil.copytree(made, folder)
                forger = Forger(folder, private, output)
                forger.forgeries()[what]()
                code, grade, said = forger.verdict()
                if code == 0 or grade == "settled and signed":
                    wrong.append(f"{kind}, {what}: {grade} ({code})")
                shutil.rmtree(folder)
    print("\n".join(wrong) or f"{tried} forgeries of {len(RELEASES)} kinds: none passes as settled and signed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
