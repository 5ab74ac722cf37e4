# SPDX-License-Identifier: GPL-3.0-or-later
"""The window of the program `echolux`, on a recording, on frames in memory, or on an image."""
from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence

from . import _files, _program
from .spec import Spec

# Removes the folder after the program, also where Python has ended before.
_SCRIPT = 'folder=$1; shift; "$@"; status=$?; rm -rf "$folder"; exit $status'


class Window:
    """What view() opens with wait=False. It stays open when Python ends."""

    def __init__(self, folder: pathlib.Path, arguments: Sequence[str]):
        """`folder`: is removed after the window."""
        self._folder = folder
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(["/bin/sh", "-c", _SCRIPT, "sh", str(folder), *arguments], stdin=subprocess.DEVNULL,
                                         stderr=self._errors, start_new_session=True)

    @property
    def is_open(self) -> bool:
        return self._process.poll() is None

    def wait(self, seconds: float | None = None) -> None:
        """Until it is closed. Raises EcholuxError where it could not open, TimeoutError after `seconds`."""
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"The window is still open after {seconds} s.") from None
        if status > 0 and not self._errors.closed:
            self._errors.seek(0)
            said = self._errors.read().decode(errors="replace")
            self._errors.close()
            raise _program.failure(status, said)

    def close(self) -> None:
        """Closes it if it is open."""
        if self.is_open:
            os.killpg(self._process.pid, signal.SIGTERM)
            self._process.wait()
            shutil.rmtree(self._folder, ignore_errors=True)

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self._errors.close()
            if self.is_open:
                self._process.returncode = 0  # it goes on, which is no mistake to warn of

    def __repr__(self) -> str:
        return f"<Window, {'open' if self.is_open else 'closed'}>"


def view(source: _files.Source, spec: Spec | None = None, *, pipeline: _files.PipelineLike = None,
         rate: float = 0.0, wait: bool = True, options: Sequence[str] = ()) -> Window | None:
    """Opens the window of the installed program `echolux`, which is found in PATH or named by ECHOLUX_PROGRAM.

    `source`: a path or a Recording; one or several frames as an array, with the `spec` that describes one; or an image
    or images that a pipeline gave, with their axes. `rate`: frames per second of an array (that of `spec`).
    `pipeline`: what the window shows, a Pipeline as it is, or a name, path, text or list of stages. `wait`: returns
    when the window is closed; otherwise at once, with the Window. `options`: further ones of `echolux view`, for example
    ["--size", "1280x800"].

    An array is written to a temporary recording, which goes with the window: later changes of the array are not seen.
    """
    program = _program.find()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="echolux-"))
    try:
        window = Window(folder, [program, "view", *_files.arguments(source, spec, rate, pipeline, folder), *options])
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if not wait:
        return window
    try:
        window.wait()
    except KeyboardInterrupt:
        window.close()
        raise
    return None
