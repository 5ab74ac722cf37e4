# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages in Python. A file of stages says

    from echolux_stages import stage, Real

    @stage(label="Root")
    def root(image, exponent=Real(0.5, 0.1, 1.0)):
        '''Compresses amplitudes.'''
        return image ** exponent

and a pipeline names the file as it names a plugin. Arrays are NumPy arrays of one frame, valid during the
call: `image` cannot be written. The result has the shape of the input, or the one that `plan` gave.

Echolux runs this module inside its process, and calls the functions at the end of it by ctypes.
"""
import ctypes
import inspect
import json
import sys
import threading
import time
import traceback

import numpy

__all__ = ["Axis", "Choice", "Flag", "Frame", "Integer", "Real", "Text", "stage"]

LONGEST_CALL_S = 10.0  # a call that takes longer is ended by an exception
_TYPES = {"u8": "u1", "i16": "i2", "u16": "u2", "f32": "f4", "complex_f32": "c8"}


class _Parameter:
    def __init__(self, default, label="", help="", structural=False, **row):
        self.row = {"type": type(self).__name__.lower(), "default": default, "label": label, "help": help,
                    "structural": structural, **row}


class Real(_Parameter):
    """A slider from `minimum` to `maximum`, both in `unit`."""

    def __init__(self, default, minimum, maximum, step=None, unit="", **more):
        span = float(maximum) - float(minimum)
        super().__init__(float(default), minimum=float(minimum), maximum=float(maximum),
                         step=float(step or span / 100), unit=unit, **more)


class Integer(_Parameter):
    """Whole numbers from `minimum` to `maximum`."""

    def __init__(self, default, minimum, maximum, step=1, unit="", **more):
        super().__init__(int(default), minimum=int(minimum), maximum=int(maximum), step=int(step), unit=unit, **more)


class Flag(_Parameter):
    """On or off."""

    def __init__(self, default=False, **more):
        super().__init__(bool(default), **more)


class Choice(_Parameter):
    """One of some texts; the first is the default."""

    def __init__(self, *choices, default=None, **more):
        super().__init__(str(default or choices[0]), choices=[str(choice) for choice in choices], **more)


class Text(_Parameter):
    """A text."""

    def __init__(self, default="", **more):
        super().__init__(str(default), **more)


class Axis:
    """Coordinate of index i: origin + i * spacing, in `unit` ("m", "s", "m/s", or "" for indices)."""

    def __init__(self, name, size, spacing=1.0, origin=0.0, unit=""):
        self.name, self.size, self.spacing, self.origin, self.unit = name, int(size), float(spacing), float(origin), unit


class Frame:
    """What a frame is: `dtype` (NumPy), `axes`, `shape`, and facts in SI units, 0 where unknown."""

    def __init__(self, axes, dtype="f4", **facts):
        self.axes, self.dtype, self.facts = list(axes), numpy.dtype(dtype), facts

    @property
    def shape(self):
        return tuple(axis.size for axis in self.axes)

    def like(self, axes=None, dtype=None):
        """The same frame with other axes or samples."""
        return Frame(self.axes if axes is None else axes, self.dtype if dtype is None else dtype, **self.facts)


def _label_of(name):
    return name[:1].upper() + name[1:].replace("_", " ")


class _Stage:
    def __init__(self, function, label, dtypes, axes, plan):
        self.id, self.function, self.plan = function.__name__, function, plan
        self.label = label or _label_of(self.id)
        self.help = (inspect.getdoc(function) or "").split("\n")[0]
        self.dtypes, self.axes = dtypes, axes
        first, *rest = inspect.signature(function).parameters.values()
        self.knows_frame = False
        self.parameters = {}
        for parameter in rest:
            if parameter.name == "frame":
                self.knows_frame = True
            elif isinstance(parameter.default, _Parameter):
                row = parameter.default.row
                self.parameters[parameter.name] = {**row, "label": row["label"] or _label_of(parameter.name)}
            else:
                raise TypeError(f"parameter '{parameter.name}' of {self.id} has no default like Real(1.0, 0.0, 2.0)")


_defined = []


def stage(function=None, *, label="", dtypes=("f32",), axes=(), plan=None):
    """Makes a stage of a function over one frame, an array. Its other arguments are parameters, with
    defaults like Real(0.5, 0.1, 1.0); an argument `frame` gets what the frame is, a Frame.

    `dtypes` and `axes` are what it takes ("u8", "i16", "u16", "f32", "complex_f32"; axes () takes any).
    `plan(frame, **parameters)` gives the Frame that comes out, where it is not like the input; parameters
    that it uses are `structural`."""

    def define(function):
        _defined.append(_Stage(function, label, list(dtypes), list(axes), plan))
        return function

    return define if function is None else define(function)


# ---- What Echolux calls. Each function returns JSON, and {"error": ...} where it failed. ------------------

_stages = []  # all that were loaded; the index is the handle
_kept = threading.local()
_calls = {}  # thread: (beginning, stage id)


class TookTooLong(Exception):
    pass


def _watch():
    """Ends calls that take too long. Code that is not Python cannot be ended."""
    while True:
        time.sleep(0.2)
        now = time.monotonic()
        for thread, began in list(_calls.items()):
            if now - began > LONGEST_CALL_S and _calls.pop(thread, None) is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TookTooLong))


def _answer(function, *arguments):
    try:
        result = function(*arguments)
    except TookTooLong:
        result = {"error": f"it did not return within {LONGEST_CALL_S:g} s"}
    except BaseException as error:  # NOTE: nothing may pass to C
        places = [(f.filename, f.lineno) for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
        lines = [line for file, line in places if file == places[0][0]]  # of the plugin, which may call others
        line = getattr(error, "lineno", None) or (lines[-1] if lines else None)
        result = {"error": f"{type(error).__name__}: {error}" + (f" (line {line})" if line else "")}
    _kept.text = json.dumps(result).encode()
    return ctypes.cast(ctypes.c_char_p(_kept.text), ctypes.c_void_p).value


def _load(source, path):
    del _defined[:]
    exec(compile(source, path, "exec"), {"__name__": "echolux_plugin", "__file__": path})
    if not _defined:
        raise ValueError("it defines no stage; put @stage before a function")
    first = len(_stages)
    _stages.extend(_defined)
    return {"stages": [{"handle": first + i, "id": s.id, "label": s.label, "help": s.help, "dtypes": s.dtypes,
                        "axes": s.axes, "parameters": s.parameters, "plans": s.plan is not None} for i, s in enumerate(_defined)]}


def _frame_of(spec):
    return Frame([Axis(**axis) for axis in spec["axes"]], _TYPES[spec["dtype"]], **spec["facts"])


def _plan(handle, spec, values):
    planned = _stages[handle]
    if planned.plan is None:
        return {}
    frame = planned.plan(_frame_of(json.loads(spec)), **json.loads(values))
    names = {numpy.dtype(code): name for name, code in _TYPES.items()}
    return {"dtype": names[frame.dtype], "axes": [vars(axis) for axis in frame.axes]}


def _run(handle, spec, out_spec, values, data, out):
    ran = _stages[handle]
    # NOTE: JSON texts repeat from frame to frame, so what they mean is kept.
    frame, values = _parsed(spec, _frame_of), dict(_parsed(values, dict))
    result_frame = _parsed(out_spec, _frame_of)
    image = _array(data, frame)
    image.flags.writeable = False
    if ran.knows_frame:
        values["frame"] = frame
    thread = threading.get_ident()
    _calls[thread] = time.monotonic()
    try:
        result = numpy.asarray(ran.function(image, **values))
    finally:
        _calls.pop(thread, None)
    if result.shape != result_frame.shape:
        raise ValueError(f"it returned the shape {list(result.shape)}, but {list(result_frame.shape)} was planned")
    if numpy.iscomplexobj(result) and result_frame.dtype.kind != "c":
        raise ValueError(f"it returned complex samples, but {result_frame.dtype} was planned")
    _array(out, result_frame)[...] = result
    return {}


_texts = {}


def _parsed(text, make):
    key = (text, make)
    if key not in _texts:
        if len(_texts) > 200:
            _texts.clear()
        _texts[key] = make(json.loads(text))
    return _texts[key]


def _array(address, frame):
    count = int(numpy.prod(frame.shape))
    bytes_ = (ctypes.c_char * (count * frame.dtype.itemsize)).from_address(address)
    return numpy.frombuffer(bytes_, frame.dtype).reshape(frame.shape)


_TEXT, _POINTER, _INT = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int64
_load_c = ctypes.CFUNCTYPE(_POINTER, _TEXT, _TEXT)(
    lambda source, path: _answer(lambda: _load(source.decode(), path.decode())))
_plan_c = ctypes.CFUNCTYPE(_POINTER, _INT, _TEXT, _TEXT)(lambda *arguments: _answer(_plan, *arguments))
_run_c = ctypes.CFUNCTYPE(_POINTER, _INT, _TEXT, _TEXT, _TEXT, _POINTER, _POINTER)(
    lambda *arguments: _answer(_run, *arguments))


def give(address):
    """Writes the addresses of the three functions to `address`."""
    table = (ctypes.c_void_p * 3).from_address(address)
    for i, function in enumerate((_load_c, _plan_c, _run_c)):
        table[i] = ctypes.cast(function, ctypes.c_void_p).value
    threading.Thread(target=_watch, daemon=True).start()
