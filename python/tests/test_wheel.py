# SPDX-License-Identifier: Apache-2.0
"""The wheel that is handed out stands by itself."""

import os
import pathlib

import pytest

import fogline as fl

# libexpat and zlib are of the policy of such wheels: every system has them.
OURS = ("libproj", "libsodium", "libtbb", "libqhull", "libClp", "libpq", "libfmt")


@pytest.mark.skipif(
    not os.environ.get("FOGLINE_REPAIRED"), reason="a wheel that was not repaired borrows libraries"
)
def test_it_brings_its_libraries():
    from fogline import _core

    folder = pathlib.Path(_core.__file__).parent.parent
    brought = {file.name for file in (folder / "fogline.libs").iterdir()}
    assert any(name.startswith("libsqlite3") for name in brought)
    loaded = {
        line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if ".so" in line
    }
    outside = [pathlib.Path(name).name for name in loaded if name.startswith(("/usr/lib", "/lib"))]
    assert not [name for name in outside if name.startswith(OURS)]
    assert fl.place.plan(network="lattice:5x5:400", epsilon="1/100").passed
