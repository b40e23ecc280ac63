# SPDX-License-Identifier: Apache-2.0
"""How each source is compiled by itself, and which of them to look at: for tools/check_sources, check_headers and tidy."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import time

TREE = pathlib.Path(__file__).resolve().parent.parent
DATABASE = TREE / "build/alone"


def run(*words):
    return subprocess.run(words, cwd=TREE, capture_output=True, text=True)


def commands():
    """The compiler's words for each source under src/, without output and cache, as the preset `alone` has them: the
    flags of what is shipped, but nothing joined and nothing read beforehand."""
    done = run("cmake", "--preset", "alone")
    if done.returncode != 0:
        raise SystemExit(f"the preset alone cannot be configured:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    result = {}
    for entry in json.loads((DATABASE / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if TREE / "src" not in file.parents or file.suffix != ".cpp":
            continue
        words = shlex.split(entry["command"])
        if os.path.basename(words[0]) == "ccache":
            words = words[1:]
        words = words[:words.index("-o")]
        result[str(file.relative_to(TREE))] = words
    return result


# On the main branch nothing tells where a landing began: so many commits are looked at again.
LANDED_TOGETHER = 5


def base_of_changes():
    """Where this branch left the main one; on the main one, a few commits ago."""
    commits = run("git", "rev-list", "--first-parent", f"--max-count={LANDED_TOGETHER + 1}", "HEAD").stdout.split()
    for main in ("origin/main", "main"):
        found = run("git", "merge-base", "HEAD", main)
        if found.returncode == 0 and found.stdout.strip() != run("git", "rev-parse", "HEAD").stdout.strip():
            return found.stdout.strip()
    return commits[-1] if commits else "HEAD"


def changed():
    """Files that differ from the base."""
    return set(run("git", "diff", "--name-only", base_of_changes()).stdout.splitlines())


INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def includers(headers):
    """Sources and headers that include any of these, directly or through others."""
    known = set(run("git", "ls-files", "src", "include").stdout.splitlines())
    users = {}
    for file in known:
        if not file.endswith((".cpp", ".hpp")) or not (TREE / file).is_file():
            continue
        for name in INCLUDE.findall((TREE / file).read_text()):
            users.setdefault(next((at for at in ("src/" + name, "include/" + name) if at in known), name), set()).add(file)
    found, new = set(), set(headers)
    while new:
        new = set().union(*(users.get(header, set()) for header in new)) - found
        found |= new
    return found


def poorer_headers():
    """Those that gave up an include since the base, or went: whoever includes them may have lived on it."""
    removed = run("git", "diff", "--no-renames", "-U0", base_of_changes(), "--", "src/*.hpp", "include/*.hpp").stdout
    found, header = set(), None
    for line in removed.splitlines():
        if line.startswith("--- a/"):
            header = line[len("--- a/"):]
        elif header and re.match(r"-\s*#include", line):
            found.add(header)
    return found


def header_of(name):
    """Where the header of a source lies: beside it, or among the public ones."""
    stem = pathlib.Path(name.removesuffix(".cpp") + ".hpp")
    return {str(stem), f"include/fogline/{stem.name}"}


def chosen(names, sample, with_includers):
    """All of the names; or those that changed, with the sources of headers that did, and, if asked, whatever includes a
    header that includes less than before: a source that compiled alone goes on to until one of these happens. Then so many
    others, chosen by the commit: other commits try others. Gives both lists: the first is to be looked at, however long it
    takes."""
    if sample is None:
        return [], sorted(names)
    mine = changed()
    poorer = includers(poorer_headers()) if with_includers else set()
    first = sorted(n for n in names if n in mine or n in poorer or not mine.isdisjoint(header_of(n)))
    commit = run("git", "rev-parse", "HEAD").stdout.strip()
    rest = sorted(set(names) - set(first), key=lambda name: hashlib.sha256((commit + name).encode()).digest())
    return first, rest[:sample]


def add_options(parser):
    parser.add_argument("files", nargs="*", metavar="FILE", help="only these (all sources under src/)")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="what changed since the main branch or the last commit, and N others, chosen by the commit")
    parser.add_argument("--seconds", type=float, metavar="S", help="begin none of the N others after so many seconds with them, and say how many were left")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once")


def asked(options, names, with_includers=False):
    if options.files:
        paths = [str(pathlib.Path(file).resolve().relative_to(TREE)) for file in options.files]
        unknown = [path for path in paths if path not in names]
        if unknown:
            raise SystemExit("no source of this build: " + " ".join(unknown))
        return paths, []
    return chosen(names, options.sample, with_includers)


def for_each(first, others, options, check):
    """Calls check(name), which returns a complaint or nothing, on several names at once: on all of the first, and on as many others as there is
    time for. Gives the number of names looked at and of complaints, which it prints as they come."""
    names, needed = [*first, *others], set(first)
    begin = []  # when the first of the others was begun

    def one(name):
        if name not in needed and options.seconds is not None:
            begin.append(time.monotonic())
            if begin[-1] - begin[0] > options.seconds:
                return None
        return check(name) or ""

    looked, wrong = 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, said in zip(names, pool.map(one, names)):
            looked += said is not None
            if said:
                wrong += 1
                print(f"{name}:\n{said}", flush=True)
    return looked, wrong
