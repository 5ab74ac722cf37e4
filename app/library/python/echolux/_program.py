# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program `echolux`, for what the library does not do itself."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

from ._calls import EcholuxError


def find() -> str:
    """Its path: ECHOLUX_PROGRAM, or `echolux` in the folders of PATH."""
    named = os.environ.get("ECHOLUX_PROGRAM")
    found = shutil.which(named or "echolux")
    if found:
        return found
    raise EcholuxError(f"ECHOLUX_PROGRAM names '{named}', which is no program; correct it." if named else
                       "The program echolux was not found; install it, or name it in ECHOLUX_PROGRAM.")


def failure(status: int, errors: str) -> EcholuxError:
    """What a command that ended with this status said."""
    lines = [line for line in errors.splitlines() if line.strip()]
    if not lines:
        return EcholuxError(f"The program echolux ended with status {status} and said nothing.")
    said = lines[-1]
    return EcholuxError(said[len("echolux: "):] if said.startswith("echolux: ") else said)


def run(*arguments: str, folder: pathlib.Path | None = None) -> None:
    """Runs a command to its end. Raises EcholuxError with the sentence that it printed, in which files in the temporary
    `folder` go by their names."""
    ended = subprocess.run([find(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           encoding="utf-8", errors="replace", check=False)
    if ended.returncode != 0:
        raise failure(ended.returncode, ended.stderr if folder is None else ended.stderr.replace(f"{folder}/", ""))
