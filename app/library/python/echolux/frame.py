# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs of pipelines, as arrays with axes."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union

import numpy
import numpy.lib.mixins
import numpy.typing

from ._calls import EcholuxError
from ._dlpack import CUDA, capsule_of
from .spec import Array, Axis, Spec

if TYPE_CHECKING:
    import xarray

AxisChoice = Union[int, str, "tuple[int | str, ...]", None]


def _summary(frame: Frame | GpuFrame, dtype: numpy.dtype[Any]) -> str:
    axes = " ".join(f"[{axis.name} {axis.size}]" for axis in frame.axes)
    unit = f" in {frame.unit}" if frame.unit else ""
    return f"<{type(frame).__name__} {frame.name}: {dtype} {axes}{unit}>"


class Frame(numpy.lib.mixins.NDArrayOperatorsMixin):
    """An output in host memory: `data` with an axis for each of its dimensions.

    NumPy, PyTorch and JAX take it as an array (numpy.asarray, torch.from_dlpack, jax.dlpack.from_dlpack), without a copy.
    Arithmetic, comparisons and functions of NumPy act on `data` and give arrays: what became of unit and axes only their
    user knows.
    """

    data: Array
    """Float32 [depth][lateral] for an ultrasound image, [lateral][depth] for OCT; see `axes`."""
    axes: tuple[Axis, ...]
    """One for each dimension of `data`, with coordinates in SI units."""
    name: str
    """Of the output."""
    number: int
    """Counts the frames that the pipeline was given, from 0."""
    unit: str
    """Of the values: "dB", "cm/s", ...; "" where they have none."""
    range: tuple[float, float] | None
    """Lowest and highest value that the window shows, in `unit`; None where there is none."""

    def __init__(self, data: Array, axes: tuple[Axis, ...], name: str, number: int, unit: str = "",
                 range: tuple[float, float] | None = None):
        self.data, self.axes, self.name, self.number, self.unit, self.range = data, axes, name, number, unit, range

    def __array__(self, dtype: numpy.typing.DTypeLike | None = None, copy: bool | None = None) -> Array:
        converts = dtype is not None and numpy.dtype(dtype) != self.data.dtype
        if converts and copy is False:
            raise ValueError(f"An array of {numpy.dtype(dtype)} is a copy of this one of {self.data.dtype}.")
        return self.data.astype(dtype or self.data.dtype, copy=bool(copy) or converts)

    def __array_ufunc__(self, ufunc: numpy.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        arrays = [each.data if isinstance(each, Frame) else each for each in inputs]
        if "out" in options:
            options["out"] = tuple(each.data if isinstance(each, Frame) else each for each in options["out"])
        return getattr(ufunc, method)(*arrays, **options)

    def _along(self, axis: AxisChoice) -> Any:
        """Numbers of axes; `axis` may name them."""
        if isinstance(axis, tuple):
            return tuple(self._along(each) for each in axis)
        return self.axes.index(self.axis(axis)) if isinstance(axis, str) else axis

    def max(self, axis: AxisChoice = None, **options: Any) -> Any:
        """As numpy.max; `axis` is a number or a name, as of min, sum, mean and std."""
        return self.data.max(self._along(axis), **options)

    def min(self, axis: AxisChoice = None, **options: Any) -> Any:
        return self.data.min(self._along(axis), **options)

    def sum(self, axis: AxisChoice = None, **options: Any) -> Any:
        return self.data.sum(self._along(axis), **options)

    def mean(self, axis: AxisChoice = None, **options: Any) -> Any:
        return self.data.mean(self._along(axis), **options)

    def std(self, axis: AxisChoice = None, **options: Any) -> Any:
        return self.data.std(self._along(axis), **options)

    def __dlpack__(self, **options: Any) -> Any:
        return self.data.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        device, number = self.data.__dlpack_device__()
        return int(device), int(number)

    def __getitem__(self, index: Any) -> Any:
        return self.data[index]

    def __len__(self) -> int:
        return len(self.data)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def ndim(self) -> int:
        return self.data.ndim

    @property
    def dtype(self) -> numpy.dtype[Any]:
        return self.data.dtype

    def axis(self, name: str) -> Axis:
        """The axis of this name."""
        for axis in self.axes:
            if axis.name == name:
                return axis
        raise EcholuxError(f"'{self.name}' has no axis '{name}'; it has {', '.join(axis.name for axis in self.axes)}.")

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top edge of the image of the last two axes, in their unit, as imshow takes them."""
        if self.ndim < 2:
            raise EcholuxError(f"'{self.name}' is no image: it has {self.ndim} axis.")
        rows, columns = self.axes[-2:]

        def edge(axis: Axis, index: float) -> float:
            return axis.origin + index * axis.spacing

        return (edge(columns, -0.5), edge(columns, columns.size - 0.5), edge(rows, rows.size - 0.5), edge(rows, -0.5))

    def to_xarray(self) -> xarray.DataArray:
        """A DataArray with coordinates and units. Needs xarray."""
        import xarray

        coordinates = {a.name: (a.name, a.coordinates, {"units": a.unit}) for a in self.axes}
        return xarray.DataArray(self.data, coordinates, [a.name for a in self.axes], self.name, {"units": self.unit})

    def __repr__(self) -> str:
        return _summary(self, self.data.dtype)


class GpuFrame:
    """An output in GPU memory, for CuPy, PyTorch, JAX and Numba (__cuda_array_interface__, DLPack). It is
    complete, and holds until the pipeline takes its next result: copy what you keep."""

    def __init__(self, address: Callable[[], int], gpu: int, spec: Spec, name: str, number: int):
        """`address`: where the array lies; raises EcholuxError when it is gone."""
        self.shape, self.dtype, self.axes, self.name, self.number = spec.shape, spec.dtype, spec.axes, name, number
        self.unit, self.range = spec.value_unit, spec.value_range
        self._address, self._gpu = address, gpu

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._address(), True), "version": 3,
                "stream": None}

    def __dlpack__(self, **_: Any) -> Any:
        return capsule_of(self, self._address(), self.shape, self.dtype, self._gpu)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self._gpu

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(f"'{self.name}' lies in GPU memory of its pipeline and can be neither copied nor pickled; copy the "
                        "array, for example by cupy.array(frame).")

    def __repr__(self) -> str:
        return _summary(self, self.dtype)
