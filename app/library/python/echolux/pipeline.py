# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages that turn frames into images."""
from __future__ import annotations

import collections
import contextlib
import copy
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy

from ._calls import AGAIN, EcholuxError, call
from ._dlpack import CUDA, array_in
from .build import BuiltText, StageLike
from .frame import Frame, GpuFrame
from .parameters import Parameters
from .recording import Recording, _opened_again
from .spec import Array, Axis, Spec

Progress = Callable[[int, int], Any]
_FOREVER = 1e9


class Pipeline(Parameters):
    """Runs frames through stages, on the CPU or on a GPU. One thread uses it; other Python threads run meanwhile.

    A copy, or what another process unpickles, has the stages and parameters as they are, and has seen no frames. It opens
    a recording by its path. Plugins must be allowed in that process, see allow_plugin().

    >>> recording = Recording("testdata/phantom_cine.echolux.h5")
    >>> pipeline = Pipeline("rf", recording, backend="cpu")
    >>> pipeline.run(recording[0])
    <Frame image: float32 [depth 459] [lateral 253] in dB>
    >>> pipeline.run(recording).shape
    (32, 459, 253)
    >>> pipeline.beamform.f_number = 2.5
    >>> pipeline["beamform.f_number"]
    2.5

    Built in code, with two outputs:

    >>> stages = ["to_float", "analytic", ("beamform", {"f_number": 1.5, "window": "hann"}), "envelope", "log_compression"]
    >>> built = Pipeline(stages, recording, outputs={"amplitude": "envelope", "level": "log_compression"}, backend="cpu")
    >>> built.run_all(recording[0])["amplitude"]
    <Frame amplitude: float32 [depth 459] [lateral 253]>
    """

    def __init__(self, pipeline: str | os.PathLike[str] | Sequence[StageLike] | None, input: Recording | Spec, *,
                 outputs: Mapping[str, str] | None = None, ensemble: int = 1,
                 plugins: Sequence[str | os.PathLike[str]] = (), backend: str = "auto", gpu: int = 0):
        """`pipeline`: text or path of a pipeline file, the name of a shipped pipeline, None for the one that suits
        `input`, or a list of stages: each a type, a pair (type, {parameter: value}) or a Stage. A stage reads the one
        before it in the list, or what its `input` names. `input`: what will be run. `backend`: "auto", "cpu" or "cuda".
        `gpu`: its number, from 0.

        For a list: `outputs`: at most four, name: "STAGE" or "PORT@STAGE" (the last stage, as "image"). `ensemble`:
        frames that go through the stages together. `plugins`: libraries with further stages, see allow_plugin()."""
        self._handle = None
        spec = input.spec if isinstance(input, Recording) else input
        if pipeline is None or isinstance(pipeline, (str, os.PathLike)):
            if outputs or plugins or ensemble != 1:
                raise EcholuxError("outputs, ensemble and plugins belong to a pipeline that is a list of stages; others "
                                   "have them in their text.")
            text = None if pipeline is None else os.fspath(pipeline)
            self._handle = call("pipeline_new", text, spec._handle, backend, gpu, 2)
        else:
            built = BuiltText(pipeline, outputs, ensemble, plugins)
            try:
                self._handle = call("pipeline_new", built.text, spec._handle, backend, gpu, 2)
            except EcholuxError as error:
                raise built.named(error) from None
        weakref.finalize(self, call, "pipeline_free", self._handle)  # at the latest before the interpreter ends
        owner = input if isinstance(input, Recording) else spec._owner
        # What a copy is made with. NOTE: not the recording, which would stay open.
        self._made_with = (owner.__reduce__()[1] if isinstance(owner, Recording) else copy.copy(spec), backend, gpu)
        takes = self.input
        self._takes = (takes.shape, takes.dtype, takes.nbytes)
        self._frame_shape = spec.shape
        self._next = self._taken = self._waiting = 0
        self._gpu = gpu
        self._read: collections.deque[Any] = collections.deque(maxlen=2)  # frames in GPU memory that may be read still

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (self.text, *self._made_with)

    @property
    def device(self) -> str:
        """The name of the processor or card."""
        return str(call("pipeline_device", self._handle))

    @property
    def _is_on_gpu(self) -> bool:
        return not self.device.startswith("CPU")

    @property
    def text(self) -> str:
        """As a pipeline file, with the parameters as they are."""
        return str(call("pipeline_text", self._handle))

    @property
    def input(self) -> Spec:
        """Of what is computed at once: a frame, or an ensemble of frames with its frame axis first."""
        return Spec._of(call("pipeline_input", self._handle), self, "input")

    @property
    def outputs(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(call("output_name", self._handle, i) for i in range(call("outputs", self._handle)))

    def run(self, frames: Any, output: str | None = None, *, progress: Progress | None = None) -> Frame:
        """The output (the first one where none is named) of one frame, or of several with a frame axis before its own.

        `frames`: anything that NumPy takes, of the shape and sample type of `input`; or an array on the pipeline's GPU
        with __cuda_array_interface__ or DLPack (CuPy, PyTorch, JAX, Numba), which is read without a copy. Or several
        frames: an array with one axis more, or a Recording, of which one frame is read at a time. The first of several
        has no predecessor, see restart(). stream() gives the outputs one by one. `progress`: called with the results so far
        and their whole number, after each of several; an exception in it ends the run.
        """
        return self._run(frames, [self._known(output)], progress)[0]

    def run_all(self, frames: Any, *, progress: Progress | None = None) -> dict[str, Frame]:
        """All outputs by name, of what run() takes."""
        names = self.outputs
        return dict(zip(names, self._run(frames, names, progress)))

    def run_on_gpu(self, frame: Any, output: str | None = None) -> GpuFrame:
        """The output of one frame, left in GPU memory."""
        if not self._is_on_gpu:
            raise EcholuxError(f"The pipeline runs on {self.device}; run_on_gpu() needs backend \"cuda\".")
        name = self._known(output)
        self._refuse_in_stream()
        self._push(frame)
        self._take_result()
        taken, number, place = self._taken, call("result_number", self._handle), call("output_memory", self._handle, name)

        def address() -> int:
            if taken != self._taken:
                raise EcholuxError(f"The pipeline has taken another result, so '{name}' of frame {number} is gone; copy "
                                   "what you keep.")
            return int(place)

        return GpuFrame(address, self._gpu, self._output_spec(name), name, number)

    def stream(self, frames: Iterable[Any], output: str | None = None) -> Iterator[Frame]:
        """The outputs of frames, or of a Recording, in their order. One frame is computed while the one before is
        taken."""
        name = self._known(output)
        return (outputs[0] for outputs in self._stream(self._pushes(frames), [name]))

    def restart(self) -> None:
        """The next frame has no predecessor, for stages that remember earlier frames."""
        call("restart", self._handle)

    def _run(self, frames: Any, names: Sequence[str], progress: Progress | None) -> list[Frame]:
        several = self._several(frames)
        if several is None:
            self._refuse_in_stream()
            self._push(frames)
            return self._take(names)
        self.restart()
        stacks: list[Array] = []
        first: list[Frame] = []
        for at, outputs in enumerate(self._stream(several, names)):
            if at == 0:
                first = outputs
                stacks = [numpy.empty((len(several), *each.shape), each.dtype) for each in outputs]
            for stack, each in zip(stacks, outputs):
                stack[at] = each.data
            if progress is not None:
                progress(at + 1, len(several))
        return [Frame(stack, (self._frame_axis(each, len(stack)), *each.axes), each.name, each.number, each.unit, each.range)
                for stack, each in zip(stacks, first)]

    def _frame_axis(self, output: Frame, count: int) -> Axis:
        takes = self.input
        interval = takes.frame_interval_s * (takes.shape[0] if len(takes.shape) > len(self._frame_shape) else 1)
        name = "ensemble" if any(axis.name == "frame" for axis in output.axes) else "frame"
        return Axis(name, count, interval, 0.0, "s") if interval else Axis(name, count)

    def _several(self, frames: Any) -> _Parts | None:
        """What to push of several frames one after the other; None for a single one."""
        shape, one = self._takes[0], self._frame_shape
        if isinstance(frames, Recording):
            given: tuple[int, ...] = frames.shape
        else:
            if not hasattr(frames, "shape"):
                frames = numpy.asarray(frames)
            given = tuple(frames.shape)
            if given == shape:
                return None
        if len(shape) > len(one) and given[1:] == one:
            parts = _Parts(frames, given[0] // shape[0], shape[0])
        elif given[1:] == shape:
            parts = _Parts(frames, given[0], None)
        elif isinstance(frames, Recording):
            raise EcholuxError(f"The recording has frames {list(given[1:])}, but the pipeline takes {list(shape)}.")
        else:
            return None
        if not len(parts):
            raise EcholuxError(f"There are {given[0]} frames, but the pipeline takes {parts.size or 1} at once.")
        return parts

    def _pushes(self, frames: Iterable[Any]) -> Iterable[Any]:
        return self._several(frames) or () if isinstance(frames, Recording) else frames

    def _stream(self, frames: Iterable[Any], names: Sequence[str]) -> Iterator[list[Frame]]:
        self._refuse_in_stream()
        try:
            for frame in frames:
                self._push(frame)
                self._waiting += 1
                if self._waiting == 2:
                    yield self._next_of_stream(names)
            if self._waiting:
                yield self._next_of_stream(names)
        finally:
            while self._waiting:  # results of a stream that was given up, or failed
                self._waiting -= 1
                with contextlib.suppress(EcholuxError):
                    self._take_result()

    def _next_of_stream(self, names: Sequence[str]) -> list[Frame]:
        self._waiting -= 1
        return self._take(names)

    def _refuse_in_stream(self) -> None:
        if self._waiting:
            raise EcholuxError("A stream of this pipeline is being read; read it to its end or close() it first.")

    def _push(self, frame: Any) -> None:
        on_gpu = getattr(frame, "__cuda_array_interface__", None)
        if on_gpu is not None and on_gpu.get("stream") is None and hasattr(frame, "__dlpack__"):
            on_gpu = None  # it does not say what writes the frame, as those of JAX; DLPack waits for that
        device = getattr(frame, "__dlpack_device__", lambda: (0, 0))()[0] if on_gpu is None else 0
        if on_gpu is not None:
            # 1 and 2 stand for the default streams, which CUDA takes as such.
            self._push_device(on_gpu["data"][0], tuple(on_gpu["shape"]), numpy.dtype(on_gpu["typestr"]),
                              on_gpu.get("strides") is None, on_gpu.get("stream"), frame)
        elif device == CUDA:
            capsule = frame.__dlpack__(stream=1)  # ready for the default stream, which is None below
            self._push_device(*array_in(capsule), None, capsule)
        else:
            given = numpy.from_dlpack(frame) if device and not hasattr(frame, "__array__") else numpy.asarray(frame)
            self._require(given.shape, given.dtype)
            dense = numpy.ascontiguousarray(given)
            call("push", self._handle, dense.ctypes.data, self._takes[2], self._next)
        self._next += 1

    def _push_device(self, address: int, shape: tuple[int, ...], dtype: numpy.dtype[Any], dense: bool, stream: int | None,
                     owner: Any) -> None:
        self._require(shape, dtype)
        if not dense:
            raise EcholuxError("The frame on the GPU is not dense; make it contiguous.")
        call("push_device", self._handle, address, self._takes[2], self._next, stream)
        self._read.append(owner)

    def _require(self, shape: tuple[int, ...], dtype: numpy.dtype[Any]) -> None:
        wanted, sample, _ = self._takes
        if (shape, dtype) != (wanted, sample):
            raise EcholuxError(f"The frame is {dtype} {list(shape)}, but the pipeline takes {sample} {list(wanted)}.")

    def _known(self, output: str | None) -> str:
        """The name of an output; raises EcholuxError where there is none of this name."""
        name = str(call("output_name", self._handle, 0)) if output is None else output
        self._output_spec(name)
        return name

    def _output_spec(self, name: str) -> Spec:
        return Spec._of(call("output_spec", self._handle, name), self, name)

    def _take_result(self) -> None:
        if call("take", self._handle, _FOREVER) == AGAIN:
            raise EcholuxError("No result waits.")
        self._taken += 1

    def _take(self, names: Sequence[str]) -> list[Frame]:
        self._take_result()
        return [self._copy(name) for name in names]

    def _copy(self, name: str) -> Frame:
        spec = self._output_spec(name)
        data = spec.empty()
        call("output_copy", self._handle, name, data.ctypes.data, data.nbytes)
        return Frame(data, spec.axes, name, call("result_number", self._handle), spec.value_unit, spec.value_range)

    def bypass(self, stage: str, skipped: bool = True) -> None:
        """Lets frames pass through the stage unchanged, from the next one on."""
        call("set_bypass", self._handle, stage, int(skipped))

    @property
    def times(self) -> dict[str, float]:
        """Seconds per step of the frame that was timed last. A step is a stage, or stages that run as one."""
        return {call("step_name", self._handle, i): call("step_seconds", self._handle, i)
                for i in range(call("steps", self._handle))}

    def __repr__(self) -> str:
        return f"<Pipeline on {self.device}: {', '.join(self.outputs)}>"


def _made_again(text: str, input: tuple[Any, ...] | Spec, backend: str, gpu: int) -> Pipeline:
    if isinstance(input, Spec):
        return Pipeline(text, input, backend=backend, gpu=gpu)
    with _opened_again(*input) as recording:
        return Pipeline(text, recording, backend=backend, gpu=gpu)


class _Parts:
    """Several frames, cut into what a pipeline takes at once. `size`: frames of an ensemble; None: a frame."""

    def __init__(self, frames: Any, count: int, size: int | None):
        self.frames, self.count, self.size = frames, count, size

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Any]:
        for at in range(self.count):
            yield self.frames[at] if self.size is None else self.frames[at * self.size:(at + 1) * self.size]
