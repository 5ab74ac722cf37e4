# SPDX-License-Identifier: GPL-3.0-or-later
"""What commands of the program `echolux` read: frames in memory, images and pipelines, as files."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence
from typing import Union

import numpy
import numpy.typing

from ._calls import EcholuxError
from .build import BuiltText, StageLike
from .frame import Frame
from .pipeline import Pipeline
from .recording import Recording, save
from .spec import Spec

Source = Union[str, "os.PathLike[str]", Recording, Frame, numpy.typing.ArrayLike]
PipelineLike = Union[str, "os.PathLike[str]", Pipeline, "Sequence[StageLike]", None]


def arguments(source: Source, spec: Spec | None, rate: float, pipeline: PipelineLike, folder: pathlib.Path) -> list[str]:
    """The file to open and --pipeline. What lies in memory is written to `folder`."""
    if isinstance(source, Frame):
        if spec is not None or pipeline is not None:
            raise EcholuxError("An image has its axes and is taken as it is; leave spec and pipeline out.")
        return [_image_file(source, folder)]
    options = source._options if isinstance(source, Recording) else []
    return [_recording_file(source, spec, folder, rate), *options, *_pipeline_options(pipeline, folder)]


def _recording_file(source: Source, spec: Spec | None, folder: pathlib.Path, rate: float) -> str:
    """The path of what a command shall open. Frames in memory are written to `folder`."""
    if isinstance(source, (str, os.PathLike, Recording)):
        if spec is not None:
            raise EcholuxError("spec describes an array; a recording has its own.")
        return source.path if isinstance(source, Recording) else os.fspath(source)
    if spec is None:
        raise EcholuxError("An array needs its spec: give spec=Spec(...), or that of its recording.")
    path = folder / "frames.echolux.h5"
    save(path, source, spec, rate=rate or (1 / spec.frame_interval_s if spec.frame_interval_s else 0.0))
    return str(path)


def _pipeline_options(pipeline: PipelineLike, folder: pathlib.Path) -> list[str]:
    """--pipeline and its value; nothing for None. Texts are written to `folder`."""
    if pipeline is None:
        return []
    if isinstance(pipeline, Pipeline):
        text = pipeline.text
    elif isinstance(pipeline, (str, os.PathLike)):
        text = os.fspath(pipeline)
        if "\n" not in text:
            return ["--pipeline", text]
    else:
        text = BuiltText(pipeline, None, 1, ()).text
    file = folder / "pipeline.toml"
    file.write_text(text, encoding="utf-8")
    return ["--pipeline", str(file)]


def _image_file(image: Frame, folder: pathlib.Path) -> str:
    """A .npy and the sidecar that describes it."""
    path = folder / f"{image.name.replace('/', '_')}.npy"
    known = {"frame", "depth", "lateral", "elevation"}
    axes = {axis.name: axis for axis in image.axes}
    places = [axis for axis in image.axes if axis.name != "frame"]
    if not {"depth", "lateral"} <= set(axes) <= known or any(axis.unit != "m" for axis in places):
        named = ", ".join(f"{axis.name} in {axis.unit}" if axis.unit else axis.name for axis in image.axes)
        raise EcholuxError(f"The window shows images of depth and lateral place in m, but '{image.name}' has {named}.")
    names = [axis.name for axis in image.axes]
    data = image.data
    if data.dtype.kind == "c":
        data, names = numpy.stack([data.real, data.imag], -1), [*names, "iq"]
    numpy.save(path, data)
    facts: dict[str, object] = {"form": _form(image)}
    for axis in places:
        facts |= {f"{axis.name}_step": axis.spacing, f"{axis.name}_first": axis.origin}
    if image.range is not None:
        facts["shown_range"] = list(image.range)
    if "frame" in axes and axes["frame"].unit == "s":
        facts["frame_rate"] = 1 / axes["frame"].spacing
    lines = ["[data]", f"axes = {json.dumps(names)}", "[image]", *(f"{key} = {json.dumps(fact)}" for key, fact in facts.items())]
    path.with_suffix(".npy.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def _form(image: Frame) -> str:
    """How the values are to be shown, see the help on sidecars."""
    if image.unit == "dB":
        return "decibels"
    if image.unit or image.range:
        return "picture"
    return "beamformed" if image.dtype.kind == "c" or image.data.min() < 0 else "envelope"
