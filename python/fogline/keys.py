# SPDX-License-Identifier: Apache-2.0
"""Keys that sign statements.

    office = fl.keys.make("office.key")
    fl.place.release(riders, ..., sign="office.key")
    fl.verify(safe, ledger=ledger, trust="office.pub")

As `fogline key`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from . import _core


@dataclass(frozen=True)
class PublicKey:
    """A key by which others recognise what was signed."""

    name: str
    key: str  #: Ed25519, 64 hexadecimal digits
    file: str  #: which whoever checks releases is given


def make(
    path: str | os.PathLike[str],
    *,
    name: str = "",
    passphrase: str = "",
    replaces: str | os.PathLike[str] = "",
    replaces_passphrase: str = "",
    overwrite: bool = False,
) -> PublicKey:
    """Makes a key that signs, of the operating system's randomness, and writes both files: the secret one,
    readable by its owner alone and encrypted if there is a passphrase, and the public one beside it. `replaces` is
    an older secret key, which endorses the new one. As `fogline key make`."""
    return PublicKey(
        *_core.make_key(
            os.fspath(path), name, passphrase, os.fspath(replaces), replaces_passphrase, overwrite
        )
    )


def revoke(
    key: str | os.PathLike[str], file: str | os.PathLike[str], *, reason: str, passphrase: str = ""
) -> None:
    """Takes a key back: nothing that it signed counts any more. Writes a new file, whose name must end in
    ".revoked", to be put beside the public keys of whoever checks. As `fogline key revoke`."""
    text = _core.revocation(os.fspath(key), reason, passphrase)
    with Path(file).open("x", encoding="utf-8") as out:
        out.write(text)
