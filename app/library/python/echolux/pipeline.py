# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages that turn frames into images."""
from __future__ import annotations

import collections
import ctypes
import dataclasses
import functools
import os
from collections.abc import Iterable, Iterator

import numpy

from ._calls import AGAIN, EcholuxError, call
from ._dlpack import CUDA, array_in, capsule_of
from .recording import Recording
from .spec import Axis, Spec

_FOREVER = 1e9


def _summary(frame: Frame | GpuFrame, dtype: numpy.dtype) -> str:
    axes = " ".join(f"[{axis.name} {axis.size}]" for axis in frame.axes)
    return f"<{type(frame).__name__} {frame.name}: {dtype} {axes}>"


class Frame:
    """An output: `data` with an axis for each of its dimensions."""

    def __init__(self, data: numpy.ndarray, axes: tuple[Axis, ...], name: str, number: int):
        self.data, self.axes, self.name, self.number = data, axes, name, number

    def __array__(self, dtype=None, copy=None) -> numpy.ndarray:
        return numpy.array(self.data, dtype, copy=bool(copy) or (dtype is not None and dtype != self.data.dtype))

    def __dlpack__(self, **options):
        return self.data.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.data.__dlpack_device__()

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of a two-dimensional image, as imshow takes them."""
        rows, columns = (axis.coordinates for axis in self.axes)
        return columns[0], columns[-1], rows[-1], rows[0]

    def to_xarray(self):
        """A DataArray with coordinates and units. Needs xarray."""
        import xarray

        coordinates = {a.name: (a.name, a.coordinates, {"units": a.unit}) for a in self.axes}
        return xarray.DataArray(self.data, coordinates, [a.name for a in self.axes], self.name)

    def __repr__(self) -> str:
        return _summary(self, self.data.dtype)


@dataclasses.dataclass(frozen=True)
class Parameter:
    """What a slider or a list of choices needs. `value` is a number in `unit`, a bool or a text."""

    name: str
    label: str
    help: str
    type: str
    unit: str
    minimum: float | None
    maximum: float | None
    step: float | None
    choices: tuple[str, ...]
    value: float | bool | str


class StageParameters:
    """The parameters of one stage as attributes."""

    def __init__(self, pipeline: Pipeline, stage: str):
        object.__setattr__(self, "_pipeline", pipeline)
        object.__setattr__(self, "_stage", stage)

    def _named(self, key: str) -> str:
        name = f"{self._stage}.{key}"
        if name not in self._pipeline._names:
            raise AttributeError(f"Stage '{self._stage}' has no parameter '{key}'; it has {', '.join(dir(self))}.")
        return name

    def __getattr__(self, key: str):
        return self._pipeline[self._named(key)]

    def __setattr__(self, key: str, value) -> None:
        self._pipeline[self._named(key)] = value

    def __dir__(self) -> list[str]:
        return [n.partition(".")[2] for n in self._pipeline._names if n.startswith(self._stage + ".")]


class GpuFrame:
    """An output in GPU memory, for CuPy, PyTorch, JAX and Numba (__cuda_array_interface__, DLPack). It is
    complete, and holds until the pipeline takes its next result: copy what you keep."""

    def __init__(self, pipeline: Pipeline, spec: Spec, name: str, number: int):
        self.shape, self.dtype, self.axes, self.name, self.number = spec.shape, spec.dtype, spec.axes, name, number
        self._pipeline, self._taken = pipeline, pipeline._taken
        self._place = call("output_memory", pipeline._handle, name)

    def _address(self) -> int:
        if self._taken != self._pipeline._taken:
            raise EcholuxError(f"The pipeline has taken another result, so '{self.name}' of frame {self.number} is gone; "
                               "copy what you keep.")
        return self._place

    @property
    def __cuda_array_interface__(self) -> dict:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._address(), True), "version": 3,
                "stream": None}

    def __dlpack__(self, **_):
        return capsule_of(self, self._address(), self.shape, self.dtype, self._pipeline._gpu)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self._pipeline._gpu

    def __repr__(self) -> str:
        return _summary(self, self.dtype)


class Pipeline:
    """Runs frames through stages, on the CPU or on a GPU. Other Python threads run meanwhile.

    >>> recording = Recording("testdata/phantom_cine.echolux.h5")
    >>> pipeline = Pipeline("rf", recording, backend="cpu")
    >>> image = pipeline.run(recording[0])
    >>> image.axes[0].name, image.axes[0].unit, image.data.dtype
    ('depth', 'm', dtype('float32'))
    >>> pipeline.beamform.f_number = 2.5
    >>> pipeline["beamform.f_number"]
    2.5
    """

    def __init__(self, pipeline: str | os.PathLike | None, input: Recording | Spec, *, backend: str = "auto",
                 gpu: int = 0):
        """`pipeline`: text or path of a pipeline file, the name of a shipped pipeline, or None for the one that
        suits `input`. `backend`: "auto", "cpu" or "cuda"."""
        spec = input.spec if isinstance(input, Recording) else input
        text = None if pipeline is None else os.fspath(pipeline)
        self._handle = None
        self._handle = call("pipeline_new", text, spec._handle, backend, gpu, 2)
        self._input = (spec.shape, spec.dtype)
        self._input_bytes = spec.nbytes
        self._next = self._taken = 0
        self._gpu = gpu
        self._read = collections.deque(maxlen=2)  # frames in GPU memory that may be read still

    def __del__(self):
        if getattr(self, "_handle", None):
            call("pipeline_free", self._handle)

    @property
    def device(self) -> str:
        """The name of the processor or card."""
        return call("pipeline_device", self._handle)

    @property
    def _is_on_gpu(self) -> bool:
        return not self.device.startswith("CPU")

    @property
    def text(self) -> str:
        """As a pipeline file, with the parameters as they are."""
        return call("pipeline_text", self._handle)

    @property
    def outputs(self) -> tuple[str, ...]:
        return tuple(call("output_name", self._handle, i) for i in range(call("outputs", self._handle)))

    def run(self, frame, output: str | None = None) -> Frame:
        """The output (the first one where none is named) of a frame in host or GPU memory.

        `frame`: anything that NumPy takes, of the input's shape and sample type; or an array on the pipeline's GPU
        with __cuda_array_interface__ or DLPack (CuPy, PyTorch, JAX, Numba), which is read without a copy.
        """
        self._push(frame)
        return self._take(output)

    def run_on_gpu(self, frame, output: str | None = None) -> GpuFrame:
        """The same, but the output stays in GPU memory."""
        if not self._is_on_gpu:
            raise EcholuxError(f"The pipeline runs on {self.device}; run_on_gpu() needs backend \"cuda\".")
        self._push(frame)
        name, spec = self._take_result(output)
        return GpuFrame(self, spec, name, call("result_number", self._handle))

    def stream(self, frames: Iterable, output: str | None = None) -> Iterator[Frame]:
        """The outputs of frames, in their order. One frame is computed while the one before is taken."""
        waiting = 0
        for frame in frames:
            self._push(frame)
            waiting += 1
            if waiting == 2:
                waiting -= 1
                yield self._take(output)
        if waiting:
            yield self._take(output)

    def restart(self) -> None:
        """The next frame has no predecessor, for stages that remember earlier frames."""
        call("restart", self._handle)

    def _push(self, frame) -> None:
        on_gpu = getattr(frame, "__cuda_array_interface__", None)
        if on_gpu is not None:
            # 1 and 2 stand for the default streams, which CUDA takes as such.
            self._push_device(on_gpu["data"][0], tuple(on_gpu["shape"]), numpy.dtype(on_gpu["typestr"]),
                              on_gpu.get("strides") is None, on_gpu.get("stream"), frame)
        elif getattr(frame, "__dlpack_device__", lambda: (0, 0))()[0] == CUDA:
            capsule = frame.__dlpack__(stream=1)  # ready for the default stream, which is None below
            self._push_device(*array_in(capsule), None, capsule)
        else:
            given = numpy.asarray(frame)
            self._require(given.shape, given.dtype)
            dense = numpy.ascontiguousarray(given)
            call("push", self._handle, dense.ctypes.data, self._input_bytes, self._next)
        self._next += 1

    def _push_device(self, address: int, shape, dtype: numpy.dtype, dense: bool, stream, owner) -> None:
        self._require(shape, dtype)
        if not dense:
            raise EcholuxError("The frame on the GPU is not dense; make it contiguous.")
        call("push_device", self._handle, address, self._input_bytes, self._next, stream)
        self._read.append(owner)

    def _require(self, shape: tuple[int, ...], dtype: numpy.dtype) -> None:
        if (shape, dtype) != self._input:
            wanted, sample = self._input
            raise EcholuxError(f"The frame is {dtype} {list(shape)}, but the pipeline takes {sample} {list(wanted)}.")

    def _take_result(self, output: str | None) -> tuple[str, Spec]:
        if call("take", self._handle, _FOREVER) == AGAIN:
            raise EcholuxError("No result waits.")
        self._taken += 1
        name = output if output is not None else call("output_name", self._handle, 0)
        return name, Spec._of(call("output_spec", self._handle, name), self)

    def _take(self, output: str | None) -> Frame:
        name, spec = self._take_result(output)
        data = spec.empty()
        call("output_copy", self._handle, name, data.ctypes.data, data.nbytes)
        return Frame(data, spec.axes, name, call("result_number", self._handle))

    @functools.cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(call("parameter_name", self._handle, i) for i in range(call("parameters", self._handle)))

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Of all stages, by "stage.key"."""
        return {name: self._parameter(name) for name in self._names}

    def _parameter(self, name: str) -> Parameter:
        limits = [ctypes.c_double() for _ in range(3)]
        kind = call("parameter_type", self._handle, name)
        minimum = maximum = step = None
        if kind in ("integer", "real"):
            call("parameter_range", self._handle, name, *(ctypes.byref(limit) for limit in limits))
            minimum, maximum, step = (limit.value for limit in limits)
        choices = tuple(call("parameter_choices", self._handle, name).splitlines())
        return Parameter(name, call("parameter_label", self._handle, name), call("parameter_help", self._handle, name),
                         kind, call("parameter_unit", self._handle, name), minimum, maximum, step, choices, self[name])

    def __getitem__(self, name: str) -> float | bool | str:
        kind = call("parameter_type", self._handle, name)
        if kind in ("integer", "real"):
            value = ctypes.c_double()
            call("get_number", self._handle, name, ctypes.byref(value))
            return int(value.value) if kind == "integer" else value.value
        text = call("get_text", self._handle, name)
        return text == "true" if kind == "flag" else text

    def __setitem__(self, name: str, value) -> None:
        """Holds for the frames that are run afterwards. Out of range: EcholuxError with the range."""
        if isinstance(value, (bool, numpy.bool_)):
            call("set_text", self._handle, name, "true" if value else "false")
        elif isinstance(value, str):
            call("set_text", self._handle, name, value)
        elif isinstance(value, Iterable):
            call("set_text", self._handle, name, "[" + ", ".join(repr(float(v)) for v in value) + "]")
        else:
            call("set_number", self._handle, name, float(value))

    def __getattr__(self, stage: str) -> StageParameters:
        if stage.startswith("_") or not any(n.startswith(stage + ".") for n in self._names):
            raise AttributeError(f"The pipeline has no stage '{stage}' with parameters.")
        return StageParameters(self, stage)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *{name.partition(".")[0] for name in self._names}]

    def bypass(self, stage: str, skipped: bool = True) -> None:
        call("set_bypass", self._handle, stage, int(skipped))

    @property
    def times(self) -> dict[str, float]:
        """Seconds per step of the frame that was timed last. A step is a stage, or stages that run as one."""
        return {call("step_name", self._handle, i): call("step_seconds", self._handle, i)
                for i in range(call("steps", self._handle))}

    def __repr__(self) -> str:
        return f"<Pipeline on {self.device}: {', '.join(self.outputs)}>"
