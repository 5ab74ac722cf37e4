# SPDX-License-Identifier: GPL-3.0-or-later
"""What a frame is: sample type, axes, facts, elements and transmits."""
from __future__ import annotations

import ctypes
import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy
import numpy.typing

from ._calls import call, number

Array = numpy.typing.NDArray[Any]
Reals = numpy.typing.NDArray[numpy.float64]

_DTYPES = {"u8": "u1", "i16": "i2", "u16": "u2", "packed12": "u1", "f32": "f4", "complex_i16": "i2", "complex_f32": "c8"}
_ALIGNMENT = 64


@dataclasses.dataclass(frozen=True)
class Axis:
    """Coordinate of index i: origin + i * spacing, in `unit` ("s", "m", "m/s"; "" for indices).

    >>> Axis("depth", 3, spacing=0.5e-3, origin=2e-3, unit="m").coordinates
    array([0.002 , 0.0025, 0.003 ])
    """

    name: str
    size: int
    spacing: float = 1.0
    origin: float = 0.0
    unit: str = ""

    @property
    def coordinates(self) -> Reals:
        """Float64 [size], in `unit`."""
        return self.origin + self.spacing * numpy.arange(self.size, dtype=numpy.float64)


@dataclasses.dataclass(frozen=True)
class Transmit:
    """One transmit event. Time 0 is when the wavefront crosses the array's centre; for "element", when it fires."""

    wave: str
    """"plane", "diverging", "focused", "element" or "none" (nothing is sent)."""
    angle_rad: float = 0.0
    """Of a plane wave, in the x-z plane; positive towards +x."""
    elevation_rad: float = 0.0
    """Of a plane wave, out of that plane; see Spec.steering."""
    point_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Virtual source, focus or element: x lateral, y elevation, z depth."""
    origin_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Where the beam of a focused wave begins."""
    first_sample_s: float = 0.0
    """Time of sample 0."""
    iq_phase_zero_s: float = 0.0
    """When the phase of the down-mixer was 0, of IQ data."""
    weights: Array = dataclasses.field(default_factory=lambda: numpy.empty(0, numpy.float32), compare=False, repr=False)
    """Float32 [element], 0 where an element was silent; empty: all alike, or unknown."""

    @property
    def angle_deg(self) -> float:
        """angle_rad in degrees."""
        return math.degrees(self.angle_rad)


@dataclasses.dataclass(frozen=True)
class Pose:
    """Where a frame lies in a patient or a room.

    >>> Pose(matrix=[[1, 0, 0, 0.01], [0, 1, 0, 0.02], [0, 0, 1, 0.03], [0, 0, 0, 1]]).place(0.0, 0.0, 5e-3)
    array([0.01 , 0.02 , 0.035])
    """

    matrix: Reals
    """Float64 [4][4]. Times (lateral, elevation, depth, 1), in m, it gives (x, y, z, 1) in `space`, in m."""
    space: str = "LPS"
    """"LPS": x, y and z count towards the patient's left, back and head. Else the name of another space."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", numpy.array(self.matrix, numpy.float64).reshape(4, 4))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pose) and self.space == other.space and bool(numpy.array_equal(self.matrix, other.matrix))

    def __hash__(self) -> int:
        return hash((self.space, self.matrix.tobytes()))

    def place(self, lateral: float, elevation: float, depth: float) -> Reals:
        """Float64 [3]: where a place of the frame lies in `space`, m."""
        return numpy.asarray(self.matrix[:3] @ numpy.array([lateral, elevation, depth, 1.0]), numpy.float64)


class _Fact:
    """A number of a Spec; 0 where it is unknown."""

    def __init__(self, help: str):
        self.__doc__ = help

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, spec: Spec | None, owner: type) -> float:
        if spec is None:
            return self  # type: ignore[return-value]  # for help(Spec)
        return number("spec_get", spec._handle, self._name)

    def __set__(self, spec: Spec, value: float) -> None:
        call("spec_set", spec._handle, self._name, float(value))


class Spec:
    """Describes frames, of a recording or by hand. Facts are floats, and 0 where they are unknown.

    >>> spec = Spec("i16", [Axis("transmit", 1), Axis("channel", 2), Axis("sample", 3, 50e-9, unit="s")],
    ...             elements=[[-0.15e-3, 0, 0], [0.15e-3, 0, 0]], centre_frequency_hz=5e6)
    >>> spec.add_transmit("plane", angle_rad=0.1)
    >>> spec.shape, spec.dtype
    ((1, 2, 3), dtype('int16'))
    >>> spec.sampling_frequency_hz, spec.elements[:, 0], spec.transmits[0].angle_rad
    (20000000.0, array([-0.00015,  0.00015]), 0.1)
    """

    _name: str  #: of the attribute of its owner

    centre_frequency_hz = _Fact("Of the transmitted pulse, Hz.")
    sampling_frequency_hz = _Fact("Samples per second and channel, Hz. It follows from the sample axis.")
    demodulation_frequency_hz = _Fact("Of IQ data, Hz; 0 for RF.")
    sound_speed_mps = _Fact("Speed of sound, m/s.")
    transmit_sound_speed_mps = _Fact("Speed of sound for which transmits were delayed, m/s; 0: sound_speed_mps.")
    pitch_m = _Fact("From an element to its neighbour, m.")
    element_width_m = _Fact("Along the array, m.")
    element_height_m = _Fact("Across the array, m; of a long element its length.")
    elevation_focus_m = _Fact("Depth where a lens focuses in elevation, m; 0: there is none.")
    fractional_bandwidth = _Fact("-6 dB bandwidth, pulse-echo, over the centre frequency.")
    frame_interval_s = _Fact("From one frame to the next, s.")
    code_offset = _Fact("The physical value of a sample is (code - code_offset) * code_scale.")
    code_scale = _Fact("The physical value of a sample is (code - code_offset) * code_scale.")
    centre_wavelength_m = _Fact("Of OCT, in vacuum, m.")
    bandwidth_m = _Fact("Of OCT: wavelengths from the first to the last sample, m.")
    refractive_index = _Fact("Of the sample that OCT images.")
    line_spacing_m = _Fact("Of OCT: from a line to its neighbour, m. It follows from the lateral axis.")
    bscan_spacing_m = _Fact("Of volumes of OCT: from a place to the next, m.")

    def __init__(self, sample_type: str, axes: Iterable[Axis], *, elements: numpy.typing.ArrayLike | None = None,
                 **facts: float):
        """`sample_type`: "u8", "i16", "u16", "packed12", "f32", "complex_i16" or "complex_f32". `axes`: slowest first,
        [transmit][channel][sample] for channel data, [lateral][sample] for spectra. `elements`: their centres, float
        [element][3], m. `facts`: those of the class by name."""
        self._owner: object | None = None  # whose `_name` it is; None: its own
        self._handle = call("spec_new", sample_type)
        for axis in axes:
            call("spec_add_axis", self._handle, axis.name, axis.size, axis.spacing, axis.origin, axis.unit)
        if elements is not None:
            places = numpy.ascontiguousarray(elements, numpy.float64).reshape(-1, 3)
            call("spec_set_elements", self._handle, places.ctypes.data, len(places))
        for fact, value in facts.items():
            call("spec_set", self._handle, fact, value)

    @classmethod
    def _of(cls, handle: int, owner: object, name: str) -> Spec:
        spec = cls.__new__(cls)
        spec._handle, spec._owner, spec._name = handle, owner, name
        return spec

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles: by value; those of a recording or a pipeline by their owner."""
        if self._owner is not None:
            return getattr, (self._owner, self._name)
        bare = Spec(self.sample_type, self.axes)
        names = [name for name, fact in vars(Spec).items() if isinstance(fact, _Fact)]
        facts = {name: getattr(self, name) for name in names if getattr(self, name) != getattr(bare, name)}
        return Spec._restored, (self.sample_type, self.axes, self.elements, facts, self.transmits, self.pose)

    @classmethod
    def _restored(cls, sample_type: str, axes: Iterable[Axis], elements: Reals, facts: dict[str, float],
                  transmits: Iterable[Transmit], pose: Pose | None) -> Spec:
        spec = cls(sample_type, axes, elements=elements if len(elements) else None, **facts)
        for each in transmits:
            spec.add_transmit(each.wave, angle_rad=each.angle_rad, elevation_rad=each.elevation_rad, point_m=each.point_m,
                              origin_m=each.origin_m, first_sample_s=each.first_sample_s,
                              iq_phase_zero_s=each.iq_phase_zero_s)
        if pose is not None:
            spec.pose = pose
        return spec

    def __del__(self) -> None:
        if getattr(self, "_owner", self) is None and getattr(self, "_handle", None):
            call("spec_free", self._handle)

    def add_transmit(self, wave: str, *, angle_rad: float = 0.0, elevation_rad: float = 0.0,
                     point_m: Sequence[float] = (0.0, 0.0, 0.0), origin_m: Sequence[float] = (0.0, 0.0, 0.0),
                     first_sample_s: float = 0.0, iq_phase_zero_s: float = 0.0) -> None:
        """Appends a transmit, described as Transmit is. `wave`: "plane", "diverging", "focused", "element" or "none"."""
        x, y, z = point_m
        at = call("spec_transmits", self._handle)
        call("spec_add_transmit", self._handle, wave, angle_rad, x, y, z, first_sample_s)
        further = dict(zip(("origin_x_m", "origin_y_m", "origin_z_m"), origin_m), elevation_rad=elevation_rad,
                       iq_phase_zero_s=iq_phase_zero_s)
        for fact, value in further.items():
            call("spec_transmit_set", self._handle, at, fact, value)

    @property
    def sample_type(self) -> str:
        """As in the constructor."""
        return str(call("spec_sample_type", self._handle))

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Slowest first."""
        return tuple(self._axis(i) for i in range(call("spec_axes", self._handle)))

    def _axis(self, index: int) -> Axis:
        spacing, origin = ctypes.c_double(), ctypes.c_double()
        call("spec_axis_scale", self._handle, index, ctypes.byref(spacing), ctypes.byref(origin))
        return Axis(call("spec_axis_name", self._handle, index), call("spec_axis_size", self._handle, index),
                    spacing.value, origin.value, call("spec_axis_unit", self._handle, index))

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """Of a frame's array."""
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
        """Bytes of a frame."""
        return int(call("spec_bytes", self._handle))

    @property
    def elements(self) -> Reals:
        """Centres of the elements, float64 [element][3], m: x lateral, y elevation, z depth. Empty: unknown."""
        places = numpy.empty((call("spec_elements", self._handle, None, 0), 3))
        call("spec_elements", self._handle, places.ctypes.data, len(places))
        return places

    @property
    def channel_elements(self) -> numpy.typing.NDArray[numpy.int32]:
        """The element that each channel heard, int32 [transmit][channel]. Empty: channel i is element i."""
        heard = numpy.empty(call("spec_channel_elements", self._handle, None, 0), numpy.int32)
        call("spec_channel_elements", self._handle, heard.ctypes.data, len(heard))
        return heard.reshape(call("spec_transmits", self._handle), -1) if heard.size else heard

    @property
    def transmits(self) -> tuple[Transmit, ...]:
        """In the order of the transmit axis; none for OCT."""
        return tuple(self._transmit(i) for i in range(call("spec_transmits", self._handle)))

    def _transmit(self, index: int) -> Transmit:
        def fact(name: str) -> float:
            return number("spec_transmit_get", self._handle, index, name)

        weights = numpy.empty(call("spec_transmit_weights", self._handle, index, None, 0), numpy.float32)
        call("spec_transmit_weights", self._handle, index, weights.ctypes.data, len(weights))
        return Transmit(call("spec_transmit_wave", self._handle, index), fact("angle_rad"), fact("elevation_rad"),
                        (fact("x_m"), fact("y_m"), fact("z_m")),
                        (fact("origin_x_m"), fact("origin_y_m"), fact("origin_z_m")),
                        fact("first_sample_s"), fact("iq_phase_zero_s"), weights)

    @property
    def steering(self) -> str:
        """How angle a and elevation e define the direction of a plane wave. "tilts": (sin a cos e, sin e, cos a cos e);
        "projections": along (tan a, tan e, 1)."""
        return str(call("spec_steering", self._handle))

    @property
    def pose(self) -> Pose | None:
        """Where the frame lies in a patient or a room; None: unknown."""
        numbers = numpy.empty(call("spec_pose", self._handle, None, 0))
        if not numbers.size:
            return None
        call("spec_pose", self._handle, numbers.ctypes.data, numbers.size)
        matrix = numpy.eye(4)
        matrix[:3] = numbers.reshape(4, 3).T
        return Pose(matrix, str(call("spec_pose_space", self._handle)))

    @pose.setter
    def pose(self, pose: Pose) -> None:
        numbers = numpy.ascontiguousarray(pose.matrix[:3].T)
        call("spec_set_pose", self._handle, numbers.ctypes.data, pose.space)

    @property
    def value_range(self) -> tuple[float, float] | None:
        """Lowest and highest value that is shown of an output, in `value_unit`; None where there is none."""
        low, high = ctypes.c_double(), ctypes.c_double()
        call("spec_value_range", self._handle, ctypes.byref(low), ctypes.byref(high))
        return (low.value, high.value) if low.value != high.value else None

    @property
    def value_unit(self) -> str:
        """Of an output's values, for example "dB"; "" where they have none."""
        return str(call("spec_value_unit", self._handle))

    def empty(self) -> Array:
        """A frame's array, not initialised. It begins at a multiple of 64 bytes, as JAX wants arrays that it shares."""
        memory = numpy.empty(self.nbytes + _ALIGNMENT, numpy.uint8)
        begin = -memory.ctypes.data % _ALIGNMENT
        return memory[begin:begin + self.nbytes].view(self.dtype).reshape(self.shape)

    def __repr__(self) -> str:
        return f"<Spec {call('spec_text', self._handle)}>"
