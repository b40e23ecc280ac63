#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles every public header of an installed Fogline alone, and every example in their comments, with what its CMake package asks for and
nothing else:   tests/public_headers.py PREFIX

An example is what stands in a comment, indented by five blanks. It may use what PRELUDE declares."""
import pathlib
import re
import subprocess
import sys
import tempfile

PRELUDE = """#include <iostream>
#include <fogline/fogline.hpp>
extern std::vector<double> lon, lat;
extern fogline::Request request, part;
extern fogline::Findings found;
extern fogline::Released released, safe;
extern fogline::Listener listener, silent;
void use(double degrees);
void ask_for_less();
void offer(const fogline::Verb& verb, const std::string& schema);
"""
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(public_headers LANGUAGES CXX)
find_package(fogline REQUIRED)
file(GLOB sources *.cpp)
add_library(headers OBJECT ${sources})
target_link_libraries(headers PRIVATE fogline::fogline)
target_compile_options(headers PRIVATE -Wall -Wextra -Werror -fsyntax-only -Wno-unused-variable -Wno-unused-value)
"""


def examples(text):
    """The blocks of code in the comments of a header."""
    block = []
    for line in [*text.splitlines(), ""]:
        found = re.match(r"\s*///     (.*)", line)
        if found:
            block.append(found[1])
        elif block and re.match(r"\s*///\s*$", line):
            block.append("")
        elif block:
            yield "\n".join(block).strip()
            block = []


def main():
    prefix = pathlib.Path(sys.argv[1]).resolve()
    headers = sorted((prefix / "include").rglob("*.hpp"))
    count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for header in headers:
            path = header.relative_to(prefix / "include")
            (folder / f"alone_{header.stem}.cpp").write_text(f"#include <{path}>\n")
            for code in examples(header.read_text()):
                count += 1
                ledger = "" if "Ledger ledger" in code else 'fogline::Ledger ledger("my.ledger");\n'
                (folder / f"example_{count}.cpp").write_text(
                    f"// of {path}\n{PRELUDE}void example_{count}() {{\n{ledger}{code}\n}}\n")
        (folder / "CMakeLists.txt").write_text(PROJECT)
        for command in (["cmake", "-S", name, "-B", f"{name}/build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"],
                        ["cmake", "--build", f"{name}/build", "--", "-k", "0"]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(done.stdout + done.stderr)
    if count < 5:
        sys.exit(f"only {count} examples were found in the headers")
    print(f"all {len(headers)} public headers compile alone, and their {count} examples")


if __name__ == "__main__":
    main()
