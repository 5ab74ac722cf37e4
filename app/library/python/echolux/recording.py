# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of any format that Echolux reads, and files of frames from elsewhere."""
from __future__ import annotations

import dataclasses
import operator
import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy
import numpy.typing

from ._calls import EcholuxError, EcholuxWarning, call
from .spec import Array, Axis, Reals, Spec, Transmit


@dataclasses.dataclass(frozen=True, eq=False)
class Stamps:
    """When the frames of a live source were made and came, and where they lay. An entry for each frame."""

    numbers: numpy.typing.NDArray[numpy.int64]
    """The source's own; a gap is a loss. -1: it does not count."""
    device_ns: numpy.typing.NDArray[numpy.int64]
    """The source's own clock; -1: unknown."""
    arrivals: numpy.typing.NDArray[numpy.datetime64]
    """When they came, datetime64[ns], UTC; NaT: unknown."""
    poses: Reals
    """Float64 [frame][3][4], m: takes (lateral, elevation, depth, 1) of a frame to where it lies. NaN: unknown."""
    space: str
    """In which they lie, by name; "" where no pose is known."""

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def times(self) -> Reals:
        """Seconds since the first frame, float64 [frame], by the source's clock where it gave one, else by arrival."""
        if (self.device_ns >= 0).all():
            return numpy.asarray((self.device_ns - self.device_ns[0]) * 1e-9, numpy.float64)
        return numpy.asarray((self.arrivals - self.arrivals[0]) / numpy.timedelta64(1, "s"), numpy.float64)


class Recording:
    """A sequence of frames. Each is read when it is asked for, and none is kept.

    An index chooses frames first and then what NumPy would choose of each, so recording[3] is frame 3, recording[-1]
    the last one, recording[10:20] an array [frame]..., recording[:, 0] transmit 0 of all frames, and
    numpy.asarray(recording) is all of them. Samples are as they are stored, see Spec.code_scale.

    >>> with open("testdata/phantom_cine.echolux.h5") as recording:
    ...     recording.format, len(recording), recording.shape, recording.dtype
    ...     recording[8:10].shape, recording[..., ::4, :].shape
    ...     [round(transmit.angle_deg) for transmit in recording.transmits]
    ('Echolux recording', 32, (32, 3, 64, 899), dtype('int16'))
    ((2, 3, 64, 899), (32, 3, 16, 899))
    [-8, 0, 8]
    """

    def __init__(self, path: str | os.PathLike[str], *, sidecar: str | os.PathLike[str] | None = None,
                 calibration: str | os.PathLike[str] | None = None, track: int | str | None = None, _level: int = 2):
        """`sidecar`: a description of the file, in place of the one beside it. `calibration`: of an OCT device, in place of
        the recording's own. `track`: of a file with several recordings, its number from 0 or its name, see `tracks`.

        Raises EcholuxError with what is wrong with the file. Gives an EcholuxWarning for each of `warnings`."""
        self._handle = None
        self._path = os.path.abspath(path)
        self._with = tuple(None if each is None else os.path.abspath(each) for each in (sidecar, calibration))
        if isinstance(track, str):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the chosen one has its own
                with Recording(path, sidecar=sidecar, calibration=calibration) as first:
                    names = first.tracks
            if track not in names:
                raise EcholuxError(f"'{os.fspath(path)}' has no track '{track}'; it has {', '.join(names) or 'one alone'}.")
            track = names.index(track)
        self._track = -1 if track is None else operator.index(track)
        self._handle = call("open_with", os.fspath(path), *self._with, self._track)
        for sentence in self.warnings:
            warnings.warn(sentence, EcholuxWarning, _level)

    def close(self) -> None:
        """Its specification cannot be used afterwards; pipelines that were made from it can."""
        handle, self._handle = self._handle, None
        if handle:
            call("close", handle)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles open the file again."""
        self._opened()
        return _opened_again, (self._path, *self._with, self._track)

    def _opened(self) -> int:
        if not self._handle:
            raise EcholuxError("The recording is closed; open it again.")
        return int(self._handle)

    @property
    def path(self) -> str:
        """Of the file, absolute."""
        return self._path

    @property
    def _options(self) -> list[str]:
        """How commands of the program open it."""
        chosen = zip(("--sidecar", "--calibration"), self._with)
        track = [] if self._track < 0 else ["--track", str(self._track + 1)]
        return [word for option, file in chosen if file is not None for word in (option, file)] + track

    @property
    def tracks(self) -> tuple[str, ...]:
        """Names of the recordings that the file holds; none where it holds one."""
        return tuple(call("recording_tracks", self._opened()).splitlines())

    @property
    def format(self) -> str:
        """The name of the file format."""
        return str(call("recording_format", self._opened()))

    @property
    def rate(self) -> float:
        """Frames per second; 0 where the file does not say."""
        return float(call("recording_rate", self._opened()))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was assumed of the file, and what is odd about it: a file that is cut, a speed of sound that it does not say."""
        return tuple(call("recording_warnings", self._opened()).splitlines())

    @property
    def stamps(self) -> Stamps | None:
        """When each frame was made and came, and its pose; None where the recording is not that of a live source."""
        count = len(self)
        numbers, device, arrivals = (numpy.empty(count, numpy.int64) for _ in range(3))
        poses = numpy.empty((count, 3, 4))
        known = call("recording_stamps", self._opened(), 0, count,
                     *(array.ctypes.data for array in (numbers, device, arrivals, poses)))
        if known == 0:
            return None
        placed = numpy.flatnonzero(numpy.isfinite(poses[:, 0, 0]))
        space = str(call("recording_space", self._opened(), int(placed[0]))) if placed.size else ""
        came = arrivals.astype("datetime64[ns]")
        came[arrivals < 0] = numpy.datetime64("NaT")
        return Stamps(numbers, device, came, poses, space)

    @property
    def spec(self) -> Spec:
        """Of every frame."""
        return Spec._of(call("recording_spec", self._opened()), self, "spec")

    @property
    def shape(self) -> tuple[int, ...]:
        """Of all frames, as numpy.asarray(recording) and dask.array.from_array(recording) have it; spec.shape is that of one."""
        return (len(self), *self.spec.shape)

    @property
    def ndim(self) -> int:
        """Number of axes, that of frames included."""
        return len(self.shape)

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """Of the samples."""
        return self.spec.dtype

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Of one frame: [transmit][channel][sample], the last in s, or [lateral][sample] of spectra."""
        return self.spec.axes

    @property
    def elements(self) -> Reals:
        """Centres of the elements, float64 [element][3], m: x lateral, y elevation, z depth. Empty: unknown."""
        return self.spec.elements

    @property
    def transmits(self) -> tuple[Transmit, ...]:
        """Wave, angle (rad), focus (m) and time of the first sample (s) of each; none for OCT."""
        return self.spec.transmits

    @property
    def sampling_frequency_hz(self) -> float:
        """Samples per second and channel, Hz; 0 for OCT."""
        return self.spec.sampling_frequency_hz

    @property
    def centre_frequency_hz(self) -> float:
        """Of the transmitted pulse, Hz; 0: unknown."""
        return self.spec.centre_frequency_hz

    @property
    def sound_speed_mps(self) -> float:
        """Speed of sound, m/s; 0 for OCT."""
        return self.spec.sound_speed_mps

    def __len__(self) -> int:
        return int(call("recording_frames", self._opened()))

    def __getitem__(self, index: Any) -> Array:
        """A frame for a whole number; else an array with a frame axis before those of a frame."""
        parts = index if isinstance(index, tuple) else (index,)
        first = parts[0] if parts else slice(None)
        if first is Ellipsis:  # of frames and their axes alike, as NumPy would expand it
            named = sum(part is not None for part in parts) - 1
            inner = (slice(None),) * (self.ndim - named) + parts[1:]
            first, inner = inner[0], inner[1:]
        else:
            inner = parts[1:]
        if isinstance(first, (slice, list, numpy.ndarray)):
            return self._several(first, inner)
        return self._read(first)[inner] if inner else self._read(first)

    def _several(self, chosen: slice | Sequence[int] | Array, inner: tuple[Any, ...]) -> Array:
        count = len(self)
        numbers = range(count)[chosen] if isinstance(chosen, slice) else self._numbers(chosen)
        spec = self.spec
        like = spec.empty()[inner]
        frames = numpy.empty((len(numbers), *like.shape), spec.dtype)
        for at, number in enumerate(numbers):
            if inner:
                frames[at] = self._read(number)[inner]
            else:
                self._read(number, frames[at])
        return frames

    def _numbers(self, chosen: Sequence[int] | Array) -> Sequence[int]:
        numbers = numpy.asarray(chosen)
        if numbers.dtype == bool:
            if numbers.shape != (len(self),):
                raise IndexError(f"A mask of {list(numbers.shape)} entries chooses of {len(self)} frames.")
            return [int(n) for n in numpy.flatnonzero(numbers)]
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise IndexError("Frames are chosen by a whole number, a slice, a list of whole numbers or a mask.")
        return [int(n) for n in numbers]

    def _read(self, index: Any, out: Array | None = None) -> Array:
        count, wanted = len(self), operator.index(index)
        at = wanted + count if wanted < 0 else wanted
        if not 0 <= at < count:
            raise IndexError(f"There is no frame {wanted}; the recording has {count}, counted from 0.")
        frame = self.spec.empty() if out is None else out
        call("recording_read", self._handle, at, frame.ctypes.data, frame.nbytes)
        return frame

    def __iter__(self) -> Iterator[Array]:
        return (self._read(i) for i in range(len(self)))

    def __array__(self, dtype: numpy.typing.DTypeLike | None = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("The frames lie in a file; an array of them is a copy.")
        frames = self[:]
        return frames if dtype is None else frames.astype(dtype, copy=False)

    def __repr__(self) -> str:
        if not self._handle:
            return "<Recording, closed>"
        return f"<Recording {self.format}: {len(self)} frames of {call('spec_text', self.spec._handle)}>"


def _opened_again(path: str, sidecar: str | None, calibration: str | None, track: int) -> Recording:
    return Recording(path, sidecar=sidecar, calibration=calibration, track=None if track < 0 else track)


def open(path: str | os.PathLike[str], *, sidecar: str | os.PathLike[str] | None = None,
         calibration: str | os.PathLike[str] | None = None, track: int | str | None = None) -> Recording:
    """Opens any file that the window opens, see Recording."""
    return Recording(path, sidecar=sidecar, calibration=calibration, track=track, _level=3)


def save(path: str | os.PathLike[str], frames: numpy.typing.ArrayLike, spec: Spec, *, rate: float = 0.0,
         force: bool = False) -> None:
    """Writes an Echolux recording of channel data or spectra.

    `frames`: one frame, or several with a frame axis before its own axes; of the shape and sample type of `spec`.
    `rate`: frames per second; 0: unknown. `force`: replaces a file that exists.
    """
    given = numpy.ascontiguousarray(frames)
    many = given[numpy.newaxis] if given.ndim == len(spec.shape) else given
    if many.shape[1:] != spec.shape or given.dtype != spec.dtype:
        raise EcholuxError(f"The frames are {given.dtype} {list(given.shape)}, but spec describes frames of {spec.dtype} "
                           f"{list(spec.shape)}.")
    call("write", os.fspath(path), spec._handle, rate, many.ctypes.data, many.nbytes, int(force))
