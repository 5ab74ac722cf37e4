# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of any format that Echolux reads."""
from __future__ import annotations

import os
from collections.abc import Iterator

import numpy

from ._calls import EcholuxError, call
from .spec import Spec


class Recording:
    """A sequence of frames, each read when it is asked for.

    >>> with open("testdata/phantom_cine.echolux.h5") as recording:
    ...     recording.format, len(recording) > 1, recording[0].dtype
    ('Echolux recording', True, dtype('int16'))
    """

    def __init__(self, path: str | os.PathLike):
        """Raises EcholuxError with what is wrong with the file."""
        self._handle = call("open", os.fspath(path))

    def close(self) -> None:
        """Its specification cannot be used afterwards; pipelines that were made from it can."""
        handle, self._handle = self._handle, None
        if handle:
            call("close", handle)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()

    def _opened(self):
        if not self._handle:
            raise EcholuxError("The recording is closed; open it again.")
        return self._handle

    @property
    def format(self) -> str:
        return call("recording_format", self._opened())

    @property
    def rate(self) -> float:
        """Frames per second; 0 where the file does not say."""
        return call("recording_rate", self._opened())

    @property
    def spec(self) -> Spec:
        """Of every frame."""
        return Spec._of(call("recording_spec", self._opened()), self)

    def __len__(self) -> int:
        return call("recording_frames", self._opened())

    def __getitem__(self, index: int) -> numpy.ndarray:
        """Frame `index`; negative indices count from the end."""
        count = len(self)
        at = index + count if index < 0 else index
        if not 0 <= at < count:
            raise IndexError(f"Frame {index} of {count}.")
        spec = self.spec
        frame = spec.empty()
        call("recording_read", self._handle, at, frame.ctypes.data, frame.nbytes)
        return frame

    def __iter__(self) -> Iterator[numpy.ndarray]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        if not self._handle:
            return "<Recording, closed>"
        return f"<Recording {self.format}: {len(self)} frames of {call('spec_text', self.spec._handle)}>"


def open(path: str | os.PathLike) -> Recording:
    """Opens any file that the window opens."""
    return Recording(path)
