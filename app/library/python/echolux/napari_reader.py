# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings in napari, as images of the pipeline that suits them: a layer per view, computed when it is looked at."""
from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import numpy

from ._calls import EcholuxError
from .pipeline import Pipeline
from .recording import Recording

Layer = tuple[Any, dict[str, Any], str]


class Images:
    """The images of one output, [frame][...], as an array of which napari asks for one frame at a time. Each is imaged as
    the first one. Recordings whose pipelines take several frames at once have an image for each of these ensembles."""

    def __init__(self, recording: Recording, pipeline: Pipeline, output: str):
        self._recording, self._pipeline, self._output = recording, pipeline, output
        self._each = pipeline.input.shape[0] if len(pipeline.input.shape) > len(recording.spec.shape) else 1
        self.frame = functools.lru_cache(maxsize=64)(self._frame)
        first = self.frame(0)
        self.axes, self.unit, self.range = first.axes, first.unit, first.range
        self.shape = (len(recording) // self._each, *first.shape)
        self.dtype, self.ndim = first.dtype, first.ndim + 1

    def _frame(self, number: int) -> Any:
        at = number * self._each
        self._pipeline.restart()
        frames = self._recording[at] if self._each == 1 else self._recording[at:at + self._each]
        return self._pipeline.run(frames, self._output)

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, index: Any) -> Any:
        first, *inner = index if isinstance(index, tuple) else (index,)
        if isinstance(first, slice):
            images = [self.frame(number) for number in range(len(self))[first]]
            return numpy.array([numpy.asarray(image)[tuple(inner)] for image in images])
        return numpy.asarray(self.frame(range(len(self))[first]))[tuple(inner)]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return numpy.asarray(self[:], dtype)


def _layers(path: str | list[str]) -> list[Layer]:
    layers: list[Layer] = []
    for each in [path] if isinstance(path, str) else path:
        recording = Recording(each)
        for output in Pipeline(None, recording).outputs:
            images = Images(recording, Pipeline(None, recording), output)
            options: dict[str, Any] = {"name": f"{os.path.basename(each)}: {output}", "metadata": {"unit": images.unit},
                                       "scale": (1.0, *(1e3 * axis.spacing if axis.unit == "m" else axis.spacing for axis in images.axes))}
            if images.range is not None:
                options["contrast_limits"] = images.range
            layers.append((images, options, "image"))
    return layers


def get_reader(path: str | list[str]) -> Callable[[Any], list[Layer]] | None:
    """For napari. None where it is no recording that can be imaged."""
    first = path if isinstance(path, str) else path[0]
    try:
        with Recording(first) as recording:
            Pipeline(None, recording)
    except EcholuxError:
        return None
    return _layers
