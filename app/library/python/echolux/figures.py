# SPDX-License-Identifier: GPL-3.0-or-later
"""Widths, contrast, speckle and lengths in images: the figures of `echolux measure` and `echolux sweep`."""
from __future__ import annotations

import dataclasses
import json
import math
import operator
import os
import pathlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

import numpy

from . import _files, _program
from ._calls import EcholuxError
from .build import toml
from .recording import Recording
from .spec import Reals, Spec

Measurements = Union[str, "os.PathLike[str]", Mapping[str, Mapping[str, Any]], None]
_BESIDE = ".echolux-measurements.toml"


def _comparable(number: float) -> float | None:
    """None for NaN, so that numbers that are both unknown are equal."""
    return None if math.isnan(number) else number


@dataclasses.dataclass(frozen=True, eq=False)
class Figure:
    """One number. float(figure) is its value. Figures are equal where value, unit and deviation are; unknown ones (NaN)
    are equal to each other."""

    value: float
    """In `unit`; over several frames their mean. NaN where the image does not have it."""
    unit: str
    """ "mm", "mm2", "dB", "deg" or "". """
    deviation: float = math.nan
    """Standard deviation over the frames; NaN of one frame."""
    values: Reals = dataclasses.field(default_factory=lambda: numpy.empty(0), repr=False, compare=False)
    """Of each frame, float64 [frame], in `unit`. Empty for a figure of all frames together, such as temporal_snr."""

    def __float__(self) -> float:
        return self.value

    def _key(self) -> tuple[float | None, str, float | None]:
        return _comparable(self.value), self.unit, _comparable(self.deviation)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Figure) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())


@dataclasses.dataclass(frozen=True)
class Measured(Mapping[str, Figure]):
    """A measurement's figures by name: measured["lateral_width"].value, .unit."""

    name: str
    kind: str
    figures: Mapping[str, Figure]
    problem: str = ""
    """One sentence: why there are no figures; or ""."""
    note: str = ""
    """One sentence: why the figures may mislead; or ""."""

    def __getitem__(self, figure: str) -> Figure:
        if figure in self.figures:
            return self.figures[figure]
        raise KeyError(self.problem or f"'{self.name}' has no '{figure}'; it has {', '.join(self.figures)}.")

    def __iter__(self) -> Any:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)


@dataclasses.dataclass(frozen=True, eq=False)
class Sweep:
    """Figures over the values of a parameter. Unknown figures (NaN) of two sweeps are equal to each other."""

    parameter: str
    values: tuple[Union[float, str], ...]
    figures: Mapping[str, Reals]
    """By "MEASUREMENT.FIGURE", float64 [value]; NaN where the image does not have it."""
    units: Mapping[str, str]
    """By the same names."""

    def __getitem__(self, figure: str) -> Reals:
        return self.figures[figure]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sweep):
            return NotImplemented
        same = (self.parameter, self.values, self.units) == (other.parameter, other.values, other.units)
        return same and self.figures.keys() == other.figures.keys() and all(
            numpy.array_equal(each, other.figures[name], equal_nan=True) for name, each in self.figures.items())

    __hash__ = None  # type: ignore[assignment]  # its arrays have none


def measure(source: _files.Source, pipeline: _files.PipelineLike = None, measurements: Measurements = None, *,
            spec: Spec | None = None, rate: float = 0.0, frame: int | None = 0, output: str | None = None,
            options: Sequence[str] = ()) -> dict[str, Measured]:
    """Measures the image of a frame, by the installed program `echolux` (in PATH, or named by ECHOLUX_PROGRAM).

    `source`, `spec`, `rate`: a path, a Recording, frames as an array with the spec of one, or an image that a pipeline
    gave. `pipeline`: a Pipeline as it is, or a name, path, text or list of stages; None for the one that suits.
    `measurements`: {name: {"kind": ..., "places": [[lateral, depth], ...]}}, in mm; or the path or text of a file of
    them; None for the file beside the recording. `echolux help measure` has their kinds and defines each figure.
    `frame`: counted from 0; None for all frames. `output`: of the pipeline (the first one). `options`: further ones of
    `echolux measure`, for example ["--backend", "cpu"].

    Each frame is imaged as if it were the first one. Levels below the displayed range count as they are, except in an
    image that a pipeline gave, where they end there.
    """
    place = ["--every-frame"] if frame is None else ["--frame", str(_number(source, frame))]
    report = _report("measure", source, pipeline, measurements, spec, rate, output, [*place, *options])
    every: dict[str, list[Any]] = {}
    for one in report["measured"]:
        every.setdefault(one["measurement"], []).append(one)
    over = {one["measurement"]: one for one in report.get("all_frames", [])}
    return {name: _measured(name, frames, over.get(name)) for name, frames in every.items()}


def sweep(source: _files.Source, parameter: str, values: Iterable[Union[float, str]], pipeline: _files.PipelineLike = None,
          measurements: Measurements = None, *, spec: Spec | None = None, frame: int = 0, output: str | None = None,
          options: Sequence[str] = ()) -> Sweep:
    """The figures at each value of a parameter, "stage.key". `values`: in its SI unit, or texts of choices; two or more.
    The others as in measure()."""
    given = tuple(value if isinstance(value, str) else float(value) for value in values)
    texts = [value if isinstance(value, str) else repr(value) for value in given]
    over = ["--over", f"{parameter}={','.join(texts)}", "--frame", str(_number(source, frame))]
    report = _report("sweep", source, pipeline, measurements, spec, 0.0, output, [*over, *options])
    figures = {name: numpy.array(each, numpy.float64) for name, each in report["figures"].items()}
    return Sweep(parameter, given, figures, report["units"])


def _number(source: _files.Source, frame: int) -> int:
    """As the program counts frames, from 1."""
    beyond = isinstance(source, Recording) and frame >= len(source)
    if frame < 0 or beyond:
        raise EcholuxError(f"There is no frame {frame}" + (f" in {len(source)}" if isinstance(source, Recording) else "") +
                           "; frames are counted from 0.")
    return operator.index(frame) + 1


def _report(command: str, source: _files.Source, pipeline: _files.PipelineLike, measurements: Measurements,
            spec: Spec | None, rate: float, output: str | None, options: Sequence[str]) -> Any:
    with tempfile.TemporaryDirectory(prefix="echolux-") as name:
        folder = pathlib.Path(name)
        files = _files.arguments(source, spec, rate, pipeline, folder)
        if measurements is not None:
            files += ["--measure", _measurement_file(measurements, folder)]
        elif not os.path.exists(files[0] + _BESIDE):
            raise EcholuxError(f"There is no file of measurements {files[0] + _BESIDE}; give measurements.")
        report = folder / "report.json"
        view = [] if output is None else ["--view", output]
        _program.run(command, *files, *view, *options, "-o", str(report), folder=folder)
        return json.loads(report.read_text(encoding="utf-8"))


def _measurement_file(measurements: Union[str, os.PathLike[str], Mapping[str, Mapping[str, Any]]],
                      folder: pathlib.Path) -> str:
    if isinstance(measurements, Mapping):
        lines: list[str] = []
        for name, facts in measurements.items():
            lines += ["[[measurement]]", f"name = {toml(name, 'a name')}"]
            lines += [f"{key} = {toml(fact, f'Measurement {name}: {key}')}" for key, fact in facts.items()]
        text = "\n".join(lines) + "\n"
    elif "\n" in os.fspath(measurements):
        text = os.fspath(measurements)
    else:
        return os.fspath(measurements)
    path = folder / "measurements.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def _of_json(value: float | None) -> float:
    return math.nan if value is None else value


def _measured(name: str, frames: Sequence[Any], over: Any) -> Measured:
    """`frames`: the report of each frame; `over`: that of all of them, where there are several."""
    figures: dict[str, Figure] = {}
    for one in frames:
        for key, figure in one.get("figures", {}).items():
            if key not in figures:
                values = numpy.array([_of_json(each.get("figures", {}).get(key, {}).get("value")) for each in frames])
                figures[key] = Figure(float(values[0]), figure["unit"], values=values)
    if over is not None:
        for key, spread in over.get("figures", {}).items():
            figures[key] = Figure(_of_json(spread["mean"]), spread["unit"], _of_json(spread["standard_deviation"]),
                                  figures[key].values)
        for key, figure in over.get("together", {}).items():
            figures[key] = Figure(_of_json(figure["value"]), figure["unit"])
    sentence = {key: next((one[key] for one in frames if one.get(key)), "") for key in ("problem", "note")}
    return Measured(name, frames[0]["kind"], figures, **sentence)
