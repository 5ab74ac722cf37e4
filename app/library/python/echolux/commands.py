# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of the installed program `echolux` that make files: simulate, calibrate, export."""
from __future__ import annotations

import os
import pathlib
import tempfile
from collections.abc import Sequence
from typing import Union

from . import _files, _program
from .recording import Recording
from .spec import Spec

Option = Union[bool, float, str, "os.PathLike[str]", "Sequence[float | str]"]


def simulate(kind: str, path: str | os.PathLike[str], *, force: bool = False, **options: Option) -> Recording:
    """Simulates a recording, writes it to `path` and opens it, by the installed program `echolux`.

    `kind` and `options`: those of `echolux simulate KIND --help`, which tells their units, with _ in place of -: a number
    or a text, True for a switch, a list for an option that may be repeated:
    simulate("plane-wave", "wires.echolux.h5", elements=64, angles=0).
    """
    _program.run("simulate", kind, "-o", os.fspath(path), *_words({"force": force, **options}))
    return Recording(path)


def calibrate(kind: str, source: _files.Source, path: str | os.PathLike[str], pipeline: _files.PipelineLike = None, *,
              spec: Spec | None = None, rate: float = 0.0, force: bool = False, **options: Option) -> pathlib.Path:
    """Estimates a calibration of an OCT device from its spectra, by the installed program `echolux`, and writes it: .toml
    or .npz, or its curve alone as .npy or .csv. Returns the path, which open(..., calibration=path) takes.

    `kind`: "k", "dispersion" or "background". `source`, `spec`, `rate`, `pipeline`: as in measure(); for "k" a file is the
    recording of a mirror. `options`: those of `echolux calibrate KIND --help`, as in simulate():
    calibrate("k", "mirror.h5", "device.toml", mirror2="other.h5", order=5).
    """
    with tempfile.TemporaryDirectory(prefix="echolux-") as name:
        folder = pathlib.Path(name)
        files = _files.arguments(source, spec, rate, pipeline, folder)
        words = ["-o", os.fspath(path), *_words({"force": force, **options})]
        _program.run("calibrate", kind, *(["--mirror"] if kind == "k" else []), *files, *words, folder=folder)
    return pathlib.Path(path)


def export(source: _files.Source, path: str | os.PathLike[str], pipeline: _files.PipelineLike = None, *,
           spec: Spec | None = None, rate: float = 0.0, force: bool = False, **options: Option) -> pathlib.Path:
    """Writes frames as pictures, a cine or a file for other programs, by the installed program `echolux`. The ending of
    `path` chooses the format (`echolux help output`). Returns it.

    `source`, `spec`, `rate`, `pipeline`: as in measure(). `options`: those of `echolux export`, as in simulate(), for
    example frames="1:10", axes=True, output_of="envelope".
    """
    with tempfile.TemporaryDirectory(prefix="echolux-") as name:
        folder = pathlib.Path(name)
        files = _files.arguments(source, spec, rate, pipeline, folder)
        _program.run("export", *files, "-o", os.fspath(path), *_words({"force": force, **options}), folder=folder)
    return pathlib.Path(path)


def _words(options: dict[str, Option]) -> list[str]:
    """Options of a command line. NOTE: with =, because a value may begin with -."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            words += [option] if value else []
        elif isinstance(value, (str, os.PathLike, int, float)):
            words.append(f"{option}={value}")
        else:
            words += [f"{option}={each}" for each in value]
    return words
