#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command's help fits a screen and ends in two examples; every man page is clean; completion loads.

tests/help_and_manual.py FOGLINE
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SCREEN_LINES, SCREEN_COLUMNS = 50, 100
fogline = pathlib.Path(sys.argv[1]).resolve()
failures = []


def said(*words, **options):
    return subprocess.run([fogline, *words], check=True, capture_output=True, text=True, **options).stdout


def check(holds, sentence):
    if not holds:
        failures.append(sentence)


overview = said("--help")
commands = []
for line in overview[overview.index("Commands:"):overview.index("General:")].splitlines()[1:]:
    if line.strip():
        commands.append(line[2:20].split())
check(len(commands) >= 12, "the overview lists the commands")

for words in commands:
    name = " ".join(words)
    text = said(*words, "--help")
    lines = text.splitlines()
    check(len(lines) <= SCREEN_LINES, f"{name} --help has {len(lines)} lines")
    check(text.startswith("Usage: fogline " + name), f"{name} --help begins with its usage")
    examples = text[text.rindex("Examples:"):].splitlines()[1:]
    check(len([e for e in examples if not e.startswith("  #")]) == 2, f"{name} --help ends in two examples")
    for line in lines[:lines.index("Examples:")]:
        check(len(line) <= SCREEN_COLUMNS, f"{name} --help is too wide: {line}")

with tempfile.TemporaryDirectory() as folder:
    said("manual", "--folder", folder, "-q")
    pages = sorted(pathlib.Path(folder).glob("*.1"))
    check(len(pages) == len(commands) + 1, "a man page for each command and one for the program")
    if shutil.which("mandoc"):
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages], capture_output=True, text=True)
        check(lint.returncode == 0, "mandoc: " + lint.stdout)
        for page in pages:
            text = subprocess.run(["mandoc", "-T", "utf8", page], check=True, capture_output=True, text=True).stdout
            text = re.sub(".\b", "", text)  # bold letters are struck twice
            check("EXIT STATUS" in text and "DESCRIPTION" in text, f"{page.name} has its sections")

    script = pathlib.Path(folder) / "fogline.bash"
    script.write_text(said("completion", "bash"))
    probe = (f'source "{script}"; COMP_WORDS=(fogline place rel); COMP_CWORD=2; _fogline; echo "${{COMPREPLY[@]}}"; '
             'COMP_WORDS=(fogline place release --mech); COMP_CWORD=3; _fogline; echo "${COMPREPLY[@]}"; '
             'COMP_WORDS=(fogline network info --mode walk); COMP_CWORD=4; _fogline; echo "${COMPREPLY[@]}"; '
             'COMP_WORDS=(fogline verify --led); COMP_CWORD=2; _fogline; echo "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", probe], capture_output=True, text=True, cwd=folder)
    check(done.stdout.split() == ["release", "--mechanism", "walkable", "--ledger"],
          f"bash completes: {done.stdout!r} {done.stderr!r}")
    check("complete -c fogline" in said("completion", "fish"), "fish has its script")
    check(said("completion", "zsh").startswith("#compdef fogline"), "zsh has its script")

check(said("--version").startswith("fogline "), "--version")
print("\n".join(failures) or f"{len(commands)} commands: help, manual and completion are fine")
sys.exit(1 if failures else 0)
