# SPDX-License-Identifier: Apache-2.0
"""What tools/python_bare does with the package where nothing else is."""

import pathlib
import subprocess
import sys

import fogline as fl

assert not {"pandas", "pyarrow", "scipy"} & set(sys.modules)
ledger = fl.Ledger("my.ledger")
ledger.add("riders", cap="epsilon 1 per metre")
fl.sample.place(output="riders.csv", network="city:1", count=20)
asked = {"network": "city:1", "epsilon": "1/50"}
assert fl.place.plan(**asked).passed
safe = fl.place.release("riders.csv", **asked, ledger=ledger, dataset="riders")
assert len(safe.data["lon"]) == 20
assert fl.verify(safe, ledger=ledger).passed
program = pathlib.Path(sys.executable).parent / "fogline"
told = subprocess.run([program, "claims"], capture_output=True, text=True, check=True).stdout
assert "place" in told
print(f"used on a bare Debian: {safe.records} positions released and verified")
