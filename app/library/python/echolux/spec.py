# SPDX-License-Identifier: GPL-3.0-or-later
"""What a frame is: sample type, axes and facts."""
from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Iterable

import numpy

from ._calls import call

_DTYPES = {"u8": "u1", "i16": "i2", "u16": "u2", "packed12": "u1", "f32": "f4", "complex_i16": "i2", "complex_f32": "c8"}


@dataclasses.dataclass(frozen=True)
class Axis:
    """Coordinate of index i: origin + i * spacing, in `unit` ("s", "m", "rad"; "" for indices)."""

    name: str
    size: int
    spacing: float = 1.0
    origin: float = 0.0
    unit: str = ""

    @property
    def coordinates(self) -> numpy.ndarray:
        """Float64 [size]."""
        return self.origin + self.spacing * numpy.arange(self.size)


class Spec:
    """Describes frames by hand, where no recording does.

    >>> spec = Spec("i16", [Axis("transmit", 1), Axis("channel", 2), Axis("sample", 3, 50e-9, unit="s")],
    ...             centre_frequency_hz=5e6)
    >>> spec.add_transmit("plane", angle_rad=0.1)
    >>> spec.shape, spec.dtype
    ((1, 2, 3), dtype('int16'))
    """

    def __init__(self, sample_type: str, axes: Iterable[Axis], *, elements=None, **facts: float):
        """`axes`: slowest first. `elements`: float [count][3], metres. `facts`: sound_speed_mps, pitch_m,
        centre_wavelength_m and the others of echolux_spec_set()."""
        self._owner = None
        self._handle = call("spec_new", sample_type)
        for axis in axes:
            call("spec_add_axis", self._handle, axis.name, axis.size, axis.spacing, axis.origin, axis.unit)
        if elements is not None:
            places = numpy.ascontiguousarray(elements, numpy.float64).reshape(-1, 3)
            call("spec_set_elements", self._handle, places.ctypes.data, len(places))
        for fact, value in facts.items():
            call("spec_set", self._handle, fact, value)

    @classmethod
    def _of(cls, handle, owner) -> Spec:
        spec = cls.__new__(cls)
        spec._handle, spec._owner = handle, owner
        return spec

    def __del__(self):
        if getattr(self, "_owner", self) is None and getattr(self, "_handle", None):
            call("spec_free", self._handle)

    def add_transmit(self, wave: str, *, angle_rad: float = 0.0, point_m=(0.0, 0.0, 0.0), first_sample_s: float = 0.0):
        """Appends a transmit: "plane", "diverging", "focused" or "element"."""
        call("spec_add_transmit", self._handle, wave, angle_rad, *point_m, first_sample_s)

    @property
    def sample_type(self) -> str:
        return call("spec_sample_type", self._handle)

    @property
    def axes(self) -> tuple[Axis, ...]:
        return tuple(self._axis(i) for i in range(call("spec_axes", self._handle)))

    def _axis(self, index: int) -> Axis:
        spacing, origin = ctypes.c_double(), ctypes.c_double()
        call("spec_axis_scale", self._handle, index, ctypes.byref(spacing), ctypes.byref(origin))
        return Axis(call("spec_axis_name", self._handle, index), call("spec_axis_size", self._handle, index),
                    spacing.value, origin.value, call("spec_axis_unit", self._handle, index))

    @property
    def dtype(self) -> numpy.dtype:
        return numpy.dtype(_DTYPES[self.sample_type])

    @property
    def shape(self) -> tuple[int, ...]:
        """Of a frame's array. complex_i16 has a last axis of real and imaginary part; packed12 is bytes."""
        sizes = tuple(axis.size for axis in self.axes)
        if self.sample_type == "packed12":
            return (self.nbytes,)
        return sizes + (2,) if self.sample_type == "complex_i16" else sizes

    @property
    def nbytes(self) -> int:
        return call("spec_bytes", self._handle)

    def empty(self) -> numpy.ndarray:
        return numpy.empty(self.shape, self.dtype)

    def __repr__(self) -> str:
        return f"<Spec {call('spec_text', self._handle)}>"
