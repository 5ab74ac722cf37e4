# SPDX-License-Identifier: GPL-3.0-or-later
"""Pipelines that are built in code: their stages, as the text of a pipeline file."""
from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

import numpy

from ._calls import EcholuxError


class Stage:
    """A stage of a pipeline that is built in code. `echolux stages` lists the types and their parameters.

    >>> Stage("beamform", id="das_hann", input="analytic", window="hann", f_number=1.5)
    Stage('beamform', id='das_hann', input='analytic', window='hann', f_number=1.5)
    """

    def __init__(self, type: str, *, id: str | None = None, input: str | None = None,
                 inputs: Mapping[str, str] | None = None, inputs_before: Mapping[str, str] | None = None,
                 bypass: bool = False, backend: str | None = None, fuse: bool = True, **set: Any):
        """`id`: its name, used once (the type). `input`: the output that it reads, "STAGE", "PORT@STAGE" or
        "frame@recording" (the stage before it in the list). `inputs`: outputs for further ports, {"in2": "das_hann"};
        `inputs_before`: the same, of the frame before. `bypass`: frames pass unchanged. `backend`: "cpu" where it shall
        run on the CPU though the others do not. `fuse`: False where it shall run alone. `set`: parameters, in SI units or
        dB: numbers, bools, texts, or lists of numbers."""
        self.type, self.id, self.input = type, id, input
        self.inputs, self.inputs_before = dict(inputs or {}), dict(inputs_before or {})
        self.bypass, self.backend, self.fuse, self.set = bypass, backend, fuse, set

    @property
    def name(self) -> str:
        """The id, or the type where no id was given."""
        return self.type if self.id is None else self.id

    def _facts(self) -> dict[str, Any]:
        """What differs from the defaults, apart from the parameters."""
        facts = {"id": self.id, "input": self.input, "bypass": self.bypass or None, "backend": self.backend,
                 "fuse": None if self.fuse else False}
        return {key: value for key, value in facts.items() if value is not None}

    def __repr__(self) -> str:
        links = {"inputs": self.inputs, "inputs_before": self.inputs_before}
        facts = {**self._facts(), **{key: value for key, value in links.items() if value}, **self.set}
        return f"Stage({', '.join([repr(self.type), *(f'{key}={value!r}' for key, value in facts.items())])})"


StageLike = Union[Stage, str, "tuple[str, Mapping[str, Any]]"]


def _stage_of(given: StageLike, place: int) -> Stage:
    if isinstance(given, Stage):
        return given
    if isinstance(given, str):
        return Stage(given)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str) and isinstance(given[1], Mapping):
        stage = Stage(given[0])
        stage.set = dict(given[1])
        return stage
    raise EcholuxError(f"Stage {place} of the pipeline is {given!r}; give a type, a pair (type, {{parameter: value}}) or a "
                       "Stage.")


def toml(value: Any, owner: str) -> str:
    """The value in a TOML file. `owner` begins the sentence of what cannot be written there."""
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, (float, numpy.floating)):
        return repr(float(value))
    if isinstance(value, Iterable):
        return "[" + ", ".join(toml(each, owner) for each in value) + "]"
    raise EcholuxError(f"{owner} is {value!r}; give a number, a bool, a text or a list of numbers.")


class BuiltText:
    """The text of a pipeline file, and what each of its lines belongs to."""

    def __init__(self, stages: Iterable[StageLike], outputs: Mapping[str, str] | None, ensemble: int,
                 plugins: Sequence[str | os.PathLike[str]]):
        self._lines: list[str] = []
        self._owners: list[str] = []
        self._add("The pipeline", "version = 3", 'name = "built in Python"')
        if ensemble != 1:
            self._add("The pipeline", "[recording]", f"ensemble = {toml(ensemble, 'ensemble')}")
        for plugin in plugins:
            self._add(f"Plugin {os.fspath(plugin)}", "[[plugin]]",
                      f"library = {toml(os.path.abspath(plugin), 'plugin')}")
        all_stages = [_stage_of(given, place) for place, given in enumerate(stages, 1)]
        if not all_stages:
            raise EcholuxError("The pipeline has no stage; give at least one.")
        for place, stage in enumerate(all_stages, 1):
            self._add_stage(f"Stage {place} ({stage.name})", stage)
        for place, stage in enumerate(all_stages, 1):
            for before, links in ((0, stage.inputs), (1, stage.inputs_before)):
                for port, output in links.items():
                    self._add(f"Stage {place} ({stage.name})", "[[link]]", f"from = {toml(output, 'an input')}",
                              f"to = {toml(f'{port}@{stage.name}', 'a port')}", f"frames_before = {before}")
        for name, output in (outputs or {}).items():
            self._add(f"Output '{name}'", "[[view]]", f"id = {toml(name, 'an output')}",
                      f"input = {toml(output, 'an output')}")

    def _add(self, owner: str, *lines: str) -> None:
        self._lines += lines
        self._owners += [owner] * len(lines)

    def _add_stage(self, owner: str, stage: Stage) -> None:
        self._add(owner, "[[stage]]", f"type = {toml(stage.type, owner)}")
        for key, value in stage._facts().items():
            self._add(owner, f"{key} = {toml(value, owner)}")
        if stage.set:
            self._add(owner, "[stage.set]")
        for key, value in stage.set.items():
            self._add(owner, f"{toml(key, owner)} = {toml(value, f'{owner}: {key}')}")

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def named(self, error: EcholuxError) -> EcholuxError:
        """The error with the stage or output in place of the line."""
        found = re.match(r"the pipeline, line (\d+), column \d+: (.*)", str(error), re.DOTALL)
        if found is None or int(found[1]) > len(self._owners):
            return error
        return EcholuxError(f"{self._owners[int(found[1]) - 1]}: {found[2]}")
