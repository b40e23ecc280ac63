#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports of all five kinds, for everybody and for the curator.   tests/report.py FOGLINE

A report for everybody is written after the private files are gone, so nothing of them can be in it. A curator's report has
the mark, its name says so, and every private part is marked.
"""
import base64
import gzip
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

fogline = str(pathlib.Path(sys.argv[1]).resolve())
SKIPPED = 77

PRIVATE = {"points.csv": "safe.csv", "walk.csv": "walk.safe.csv", "net.csv": "route.safe.json",
           "graph.csv": "weights.safe.csv", "trips.csv": "trips.safe.csv"}

RELEASES = [
    "sample place --network lattice:5x5:400 -o points.csv",
    "place release --network lattice:5x5:400 --epsilon 0.02 points.csv -o safe.csv --dataset points",
    "sample stream --network lattice:6x6:2000 --steps 12 --walkers 40 -o walk.csv --public others.csv",
    "stream learn others.csv --grid 500 -o model.json",
    "stream release --model model.json --policy util:1000 --epsilon 1 walk.csv -o walk.safe.csv --dataset walker",
    "sample path --vertices 7 -o route.csv --net net.csv",
    "path release --network net.csv route.csv --epsilon-edges 1 -o route.safe.json --dataset route",
    "sample weights --vertices 30 --edges-per-vertex 2 -o graph.csv",
    "weights release graph.csv --range 100:600 --epsilon 5 -o weights.safe.csv --dataset weights",
    "sample traces --people 600 -o trips.csv",
    "traces release trips.csv --area -30.06,44.96,-29.94,45.04 --epsilon 1 --unit trip --constraints closed.geojson"
    " -o trips.safe.csv --dataset trips",
]

CLOSED = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"rule": "closed"},
     "geometry": {"type": "Polygon", "coordinates": [[[-30.01, 44.99], [-30.0, 44.99], [-30.0, 45.0], [-30.01, 45.0],
                                                      [-30.01, 44.99]]]}}]}

# Kind by kind: titles of sections that must be there, and the blocks they must hold.
PICTURES = {
    "place": {"Where it was released": "map", "What could have come out": "map",
              "Protection and accuracy, in metres": "plot", "Privacy against utility": "plot", "Attacks": "table"},
    "stream": {"Where it may be, step by step": "map", "Over time": "plot", "Attacks": "table"},
    "path": {"The published route, in layers": "picture", "What an outsider sees": "map", "Attacks": "plot"},
    "weights": {"What was released": "map", "Privacy against utility": "plot", "Attacks": "table"},
    "traces": {"What was released": "map", "Where trips go": "map", "How trips move": "map",
               "Length, reach and time": "plot", "The counts": "map", "Constraints": "map"},
}
EVERYWHERE = {"What is promised": "words", "What is not promised": "words", "Budget": "budget", "Checks": "table",
              "The statement": "fields"}
CURATORS = {"place": "Measured error", "stream": "Measured error", "path": "What insiders read",
            "weights": "Measured error", "traces": "Measured error"}


def run(words, folder, code=0):
    done = subprocess.run([fogline, *words.split()], cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == code, f"fogline {words}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def document_of(path):
    html = path.read_text()
    found = re.findall(r'<script type="application/json" id="document">(.*?)</script>', html, re.S)
    assert len(found) == 1, f"{path.name}: {len(found)} documents"
    assert "<" not in found[0]
    document = json.loads(found[0])
    for name, array in document["arrays"].items():
        width = {"u8": 1, "u16": 2, "u32": 4, "f32": 4}[array["type"]]
        assert len(gzip.decompress(base64.b64decode(array["gzip"]))) == width * array["length"], name
    return document


def names_in(layer):
    return [layer[key] for key in ("points", "starts", "widths") if layer.get(key)] + (
        [layer["colour"]["values"]] if "values" in layer["colour"] else [])


def check_shape(document):
    """What the page takes for granted: arrays that are there, and lengths that fit."""
    used = set()
    for page in document["pages"]:
        for section in page["sections"]:
            assert section["blocks"], f"{page['id']}: {section['title']} is empty"
            for block in section["blocks"]:
                for view in block.get("views", []):
                    for layer in view["layers"]:
                        used.update(names_in(layer))
                        check_lengths(document, block, layer)
    assert used == set(document["arrays"]), "arrays that nobody shows, or that are missing"


def check_lengths(document, block, layer):
    length = lambda name: document["arrays"][name]["length"]
    count = {"lines": lambda: length(layer["starts"]) - 1, "areas": lambda: length(layer["starts"]) - 1,
             "points": lambda: length(layer["points"]) // 2, "grid": lambda: layer["columns"] * layer["rows"]}[layer["type"]]()
    assert count > 0, f"{block['title']}: {layer['name']} is empty"
    colour = layer["colour"]
    if "values" in colour:
        assert length(colour["values"]) == count * colour["frames"]
        if colour["frames"] > 1:
            assert len(block["control"]["places"]) == colour["frames"]
    if layer.get("widths"):
        assert length(layer["widths"]) == count
    if layer.get("until_place") or layer.get("at_place"):
        assert len(block["control"]["places"]) == count


def check_pages(document):
    pages = {page["kind"]: page for page in document["pages"]}
    for kind, pictures in PICTURES.items():
        blocks = {section["title"]: [block["type"] for block in section["blocks"]] for section in pages[kind]["sections"]}
        for title, block in {**EVERYWHERE, **pictures}.items():
            assert block in blocks.get(title, []), f"{kind}: {title}: {blocks.get(title)}"
        promise = next(s for s in pages[kind]["sections"] if s["title"] == "What is promised")["blocks"][0]
        assert promise["tone"] == "promise", f"{kind}: {promise}"
        checks = next(s for s in pages[kind]["sections"] if s["title"] == "Checks")["blocks"][0]["rows"]
        assert not [row for row in checks if row[1] == "failed"], checks


def verdict(folder, release):
    """What the first words of a release's page are; none of these may promise."""
    run(f"report {release} --ledger ledger -o verdict.html --overwrite -q", folder)
    sections = document_of(folder / "verdict.html")["pages"][0]["sections"]
    assert sections[0]["title"] == "What is claimed", sections[0]["title"]
    assert not [b for s in sections for b in s["blocks"] if b.get("tone") == "promise"]
    plots = [series["name"] for s in sections for b in s["blocks"] for series in b.get("series", [])]
    assert "promised" not in plots, "a curve of a promise that there is not"
    return sections[0]["blocks"][0]["paragraphs"][0]


def private_parts(document):
    parts = []
    for page in document["pages"]:
        for section in page["sections"]:
            if section["private"]:
                parts.append((page["kind"], section["title"]))
            for block in section["blocks"]:
                parts += [(page["kind"], view["title"]) for view in block.get("views", []) if view["private"]]
    return parts


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ.update(HOME=name, XDG_DATA_HOME=f"{name}/.local/share")
        (folder / "closed.geojson").write_text(json.dumps(CLOSED))
        for words in RELEASES:
            if " release " in words:
                run(f"ledger add --ledger ledger --dataset {words.split('--dataset ')[1].split()[0]} --uncapped -q", folder)
            run(words + (" --ledger ledger" if " release " in words else "") + " -q", folder)
        releases = " ".join(PRIVATE.values())
        probe = subprocess.run([fogline, "report", "safe.csv", "-o", "probe.html"], cwd=folder, capture_output=True, text=True)
        if "without its report page" in probe.stderr:
            print("built without the page of reports")
            sys.exit(SKIPPED)

        originals = " ".join(f"--original {released}={private}" for private, released in PRIVATE.items())
        told = run(f"report {releases} --curator {originals} --ledger ledger -o all.private.html -q", folder)
        assert "PRIVATE" in told.stderr
        curators = document_of(folder / "all.private.html")
        assert curators["curator"]
        assert (folder / "all.private.html").stat().st_mode & 0o077 == 0, "others may read it"
        check_shape(curators)
        check_pages(curators)
        for kind, title in CURATORS.items():
            assert (kind, title) in private_parts(curators), (kind, title)

        for private in [*PRIVATE, "route.csv"]:
            (folder / private).unlink()
        run(f"report {releases} --ledger ledger -o all.html -q", folder)
        public = document_of(folder / "all.html")
        assert not public["curator"]
        check_shape(public)
        check_pages(public)
        assert not private_parts(public), private_parts(public)

        # A disk that fills up while a report is written: an error, and nothing left of it.
        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        full = subprocess.run([fogline, "report", "safe.csv", "-o", "full.html", "-q"], cwd=folder, capture_output=True,
                              text=True, preexec_fn=little_room)
        assert full.returncode == 1 and "full.html" in full.stderr, full.stderr
        assert not list(folder.glob("*full.html*")), "left behind"

        # No folder of this machine is anybody's business.
        run(f"report {folder}/safe.csv --ledger {folder}/ledger -o folders.html -q", folder)
        assert name not in (folder / "folders.html").read_text(), "a folder stands in the report"

        # Another file beside a copied statement, a seeded release, a statement that says more, a file that was changed:
        # the page must not promise anything.
        (folder / "copy.csv").write_text("record,vertex,lon,lat\n1,0,0,0\n")
        (folder / "copy.csv.statement.json").write_text((folder / "safe.csv.statement.json").read_text())
        assert "failed" in verdict(folder, "copy.csv")
        run("sample place --network lattice:5x5:400 -o points.csv -q", folder)
        run("place release --network lattice:5x5:400 --epsilon 0.02 points.csv -o seeded.csv --seed 7 --ledger ledger -q", folder)
        assert "Nothing is promised" in verdict(folder, "seeded.csv")
        statement = json.loads((folder / "safe.csv.statement.json").read_text())
        statement["parameters"]["evil"] = 1
        (folder / "safe.csv.statement.json").write_text(json.dumps(statement))
        assert "failed" in verdict(folder, "safe.csv")
        del statement["parameters"]["evil"]
        statement["promise"] = ["Nobody can ever learn anything."]
        statement["version"] = "99.0"
        (folder / "safe.csv.statement.json").write_text(json.dumps(statement))
        run("report safe.csv --ledger ledger -o forged.html -q", folder)
        assert "Nobody can ever learn" not in (folder / "forged.html").read_text(), "unchecked words stand in the report"
        (folder / "safe.csv").write_text((folder / "safe.csv").read_text().replace("1,", "2,", 1))
        assert "failed" in verdict(folder, "safe.csv")
        print("reports of all kinds are as they should be")


main()
