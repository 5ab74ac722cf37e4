# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of a pipeline's stages."""
from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Iterable
from typing import Any, Union

import numpy

from ._calls import call, number

Value = Union[float, bool, str]


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
    value: Value


class StageParameters:
    """The parameters of one stage as attributes."""

    def __init__(self, pipeline: Parameters, stage: str):
        object.__setattr__(self, "_pipeline", pipeline)
        object.__setattr__(self, "_stage", stage)

    def __reduce__(self) -> tuple[Any, ...]:
        return StageParameters, (self._pipeline, self._stage)

    def _named(self, key: str) -> str:
        name = f"{self._stage}.{key}"
        if name not in self._pipeline._names:
            raise AttributeError(f"Stage '{self._stage}' has no parameter '{key}'; it has {', '.join(dir(self))}.")
        return name

    def __getattr__(self, key: str) -> Any:
        return self._pipeline[self._named(key)]

    def __setattr__(self, key: str, value: Any) -> None:
        self._pipeline[self._named(key)] = value

    def __dir__(self) -> list[str]:
        return [n.partition(".")[2] for n in self._pipeline._names if n.startswith(self._stage + ".")]


class Parameters:
    """What a Pipeline knows of its parameters: pipeline.stage.key and pipeline["stage.key"]."""

    _handle: int | None
    __names: tuple[str, ...] | None = None

    @property
    def _names(self) -> tuple[str, ...]:
        if self.__names is None:
            count = call("parameters", self._handle)
            self.__names = tuple(call("parameter_name", self._handle, i) for i in range(count))
        return self.__names

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

    def __getitem__(self, name: str) -> Value:
        """A number in the parameter's unit, a bool, or a text."""
        kind = call("parameter_type", self._handle, name)
        if kind in ("integer", "real"):
            value = number("get_number", self._handle, name)
            return int(value) if kind == "integer" else value
        text = str(call("get_text", self._handle, name))
        return text == "true" if kind == "flag" else text

    def __setitem__(self, name: str, value: Any) -> None:
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

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and not hasattr(type(self), name):
            stages = sorted({known.partition(".")[0] for known in self._names})
            raise AttributeError(f"A pipeline has no attribute '{name}'; set a parameter by pipeline.STAGE.KEY = VALUE. Stages "
                                 f"with parameters: {', '.join(stages)}.")
        object.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *{name.partition(".")[0] for name in self._names}]
