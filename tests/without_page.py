#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program that was built without node, npm and libpq does everything but reports and anchors in PostgreSQL, and says so.   tests/without_page.py FOGLINE"""
import os
import pathlib
import subprocess
import sys
import tempfile

fogline = str(pathlib.Path(sys.argv[1]).resolve())


def run(words, folder, code=0):
    done = subprocess.run([fogline, *words.split()], cwd=folder, capture_output=True, text=True)
    assert done.returncode == code, f"fogline {words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    os.environ.update(HOME=name, XDG_DATA_HOME=f"{name}/.local/share")

    # A report says what is missing and what to do, before it reads or writes anything.
    said = run("report no_such_release.csv -o report.html", folder, code=1).stderr
    assert "built without its report page" in said and "node and npm" in said and "tools/setup build" in said, said
    assert not list(folder.iterdir()), list(folder.iterdir())

    # So does an anchor, and the URI, which may hold a password, is not repeated.
    said = run("ledger add --ledger my.ledger --uncapped --anchor postgresql://me:opensesame@host/db", folder, code=2).stderr
    assert "built without libpq" in said and "libpq-dev" in said and "opensesame" not in said, said
    assert not list(folder.iterdir()), list(folder.iterdir())

    # The demo walks to its end, and says why there are no pictures.
    said = run("demo -o demo -q", folder).stdout
    assert "No pictures: this fogline was built without its report page" in said and "report.html" not in said, said
    assert (folder / "demo/trips.safe.csv").is_file() and not (folder / "demo/report.html").exists()

    # A figure is written as numbers and as a picture.
    run("reproduce place-fig6 --quick -o figures -q", folder)
    assert sorted(path.suffix for path in (folder / "figures").iterdir()) == [".csv", ".svg"]
print("everything but reports and anchors in PostgreSQL works without the page and libpq")
