# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings in xarray: xarray.open_dataset(path, engine="echolux")."""
from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy
import xarray
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from .recording import Recording


class _Frames(BackendArray):
    """All frames, read from the file when they are asked for."""

    def __init__(self, recording: Recording):
        self._recording = recording
        self.shape, self.dtype = recording.shape, recording.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        return self._recording[key]


class EcholuxBackend(BackendEntrypoint):
    """What the window opens, as a Dataset: `frames` [frame]... with the coordinates of its axes and their units, read
    lazily (samples of 12 bits as they are packed, [frame][byte]); `elements` [element][xyz] in m where the array is known; `time` [frame] in s where the rate or stamps are."""

    description = "Ultrasound channel data and OCT spectra in any format that Echolux opens"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "sidecar", "calibration", "track")

    def open_dataset(self, filename_or_obj: Any, *, drop_variables: str | Iterable[str] | None = None,
                     sidecar: str | os.PathLike[str] | None = None, calibration: str | os.PathLike[str] | None = None,
                     track: int | str | None = None) -> xarray.Dataset:
        """`sidecar`, `calibration`, `track`: as of echolux.open(). Raises EcholuxError with what is wrong with the file."""
        recording = Recording(filename_or_obj, sidecar=sidecar, calibration=calibration, track=track)
        axes = [axis.name for axis in recording.axes]
        if recording.ndim != 1 + len(axes):
            axes = ["byte"]  # packed samples
        frames = xarray.Variable(("frame", *axes), indexing.LazilyIndexedArray(_Frames(recording)))
        coordinates = {axis.name: (axis.name, axis.coordinates, {"units": axis.unit}) for axis in recording.axes}
        stamps = recording.stamps
        if stamps is not None:
            coordinates["time"] = ("frame", stamps.times, {"units": "s"})
        elif recording.rate > 0:
            coordinates["time"] = ("frame", numpy.arange(len(recording)) / recording.rate, {"units": "s"})
        variables: dict[str, Any] = {"frames": frames}
        if recording.elements.size:
            variables["elements"] = (("element", "xyz"), recording.elements, {"units": "m"})
        facts = {"format": recording.format, "sampling_frequency_hz": recording.sampling_frequency_hz,
                 "centre_frequency_hz": recording.centre_frequency_hz, "sound_speed_mps": recording.sound_speed_mps}
        dataset = xarray.Dataset(variables, coordinates, facts)
        dataset.set_close(recording.close)
        return dataset.drop_vars(drop_variables) if drop_variables is not None else dataset

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Echolux's own files alone: others have readers of their own in xarray. Name the engine for them."""
        return isinstance(filename_or_obj, (str, os.PathLike)) and os.fspath(filename_or_obj).endswith(".echolux.h5")
