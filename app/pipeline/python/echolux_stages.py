# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages in Python. A file of stages says

    from echolux_stages import stage, Real

    @stage(label="Root")
    def root(image, exponent=Real(0.5, 0.1, 1.0)):
        '''Compresses amplitudes.'''
        return image ** exponent

and a pipeline names the file as it names a plugin. Arrays are NumPy arrays of one frame, valid during the
call: `image` cannot be written. The result has the shape of the input, or the one that `plan` gave. A stage
with `gpu=True` gets CuPy arrays where the pipeline runs on a GPU.

Echolux runs this module inside its process, and calls the functions at the end of it by ctypes.
"""
import ctypes
import inspect
import json
import math
import sys
import threading
import traceback

import echolux_watch
import numpy

__all__ = ["Axis", "Choice", "Flag", "Frame", "Integer", "Real", "Text", "array_module", "stage"]

# Calls that need more are ended by an exception.
LONGEST_CALL_S = 10.0  # of a stage or its plan
LONGEST_GPU_CALL_S = 60.0  # of a stage on a GPU, where the first calls compile kernels
LONGEST_IMPORT_S = 60.0  # of the file
MOST_MEMORY = 2 << 30  # bytes by which this process may grow, besides eight times the frames that go in and come out
_TYPES = {"u8": "u1", "i16": "i2", "u16": "u2", "f32": "f4", "complex_f32": "c8"}


class _Parameter:
    def __init__(self, default, label="", help="", structural=False, **row):
        self.row = {"type": type(self).__name__.lower(), "default": default, "label": str(label), "help": str(help),
                    "structural": bool(structural), **row}
        for key, value in self.row.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"the {key} of a {type(self).__name__} is {value}, but must be a number")


class Real(_Parameter):
    """A slider from `minimum` to `maximum`, both in `unit`."""

    def __init__(self, default, minimum, maximum, step=None, unit="", **more):
        span = float(maximum) - float(minimum)
        super().__init__(float(default), minimum=float(minimum), maximum=float(maximum),
                         step=float(step or span / 100), unit=str(unit), **more)


class Integer(_Parameter):
    """Whole numbers from `minimum` to `maximum`."""

    def __init__(self, default, minimum, maximum, step=1, unit="", **more):
        super().__init__(int(default), minimum=int(minimum), maximum=int(maximum), step=int(step), unit=str(unit), **more)


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
    def __init__(self, function, label, dtypes, axes, plan, gpu):
        self.id, self.function, self.plan, self.gpu = function.__name__, function, plan, bool(gpu)
        self.label = str(label) or _label_of(self.id)
        self.help = (inspect.getdoc(function) or "").split("\n")[0]
        self.dtypes, self.axes = [str(each) for each in dtypes], [str(each) for each in axes]
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


def stage(function=None, *, label="", dtypes=("f32",), axes=(), plan=None, gpu=False):
    """Makes a stage of a function over one frame, an array. Its other arguments are parameters, with
    defaults like Real(0.5, 0.1, 1.0); an argument `frame` gets what the frame is, a Frame.

    `dtypes` and `axes` are what it takes ("u8", "i16", "u16", "f32", "complex_f32"; axes () takes any).
    `plan(frame, **parameters)` gives the Frame that comes out, where it is not like the input; parameters
    that it uses are `structural`.

    `gpu`: the function also works on CuPy arrays. In a pipeline on a GPU it then gets a view of the frame in GPU
    memory, with the pipeline's stream as CuPy's current one, and returns a CuPy array. It must not write to the view,
    which cannot be protected. Without CuPy it runs on the CPU."""

    def define(function):
        _defined.append(_Stage(function, label, dtypes, axes, plan, gpu))
        return function

    return define if function is None else define(function)


def array_module(array):
    """The module for this array: CuPy, or NumPy. Many functions of NumPy take both kinds of arrays anyway."""
    cupy = sys.modules.get("cupy")
    return cupy.get_array_module(array) if cupy else numpy


# ---- What Echolux calls. Each function returns JSON, and {"error": ...} where it failed. ------------------

_stages = []  # all that were loaded; the index is the handle
_kept = threading.local()


def _sentence(error):
    """The kind of error, and its first line; compilers write pages."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip(" =")]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


def _line_of(error):
    """The last line of the plugin, which may call others, on the way to the error; None where there is none."""
    plugin = line = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if file not in (__file__, echolux_watch.__file__) and plugin in (None, file):
            plugin, line = file, number
    return getattr(error, "lineno", None) or line


def _answer(seconds, function, *arguments):
    call = echolux_watch.Call(seconds, MOST_MEMORY)
    try:
        text = call.run(lambda: json.dumps(function(*arguments)))
    except BaseException as error:  # NOTE: nothing may pass to C
        line = _line_of(error)
        text = json.dumps({"error": (call.exceeded or _sentence(error)) + (f" (line {line})" if line else "")})
    _kept.text = text.encode()
    return ctypes.cast(ctypes.c_char_p(_kept.text), ctypes.c_void_p).value


def _load(source, path):
    del _defined[:]
    exec(compile(source, path, "exec"), {"__name__": "echolux_plugin", "__file__": path})
    if not _defined:
        raise ValueError("it defines no stage; put @stage before a function")
    first = len(_stages)
    _stages.extend(_defined)
    return {"stages": [{"handle": first + i, "id": s.id, "label": s.label, "help": s.help, "dtypes": s.dtypes,
                        "axes": s.axes, "parameters": s.parameters, "plans": s.plan is not None, "gpu": s.gpu}
                       for i, s in enumerate(_defined)]}


def _frame_of(spec):
    return Frame([Axis(**axis) for axis in spec["axes"]], _TYPES[spec["dtype"]], **spec["facts"])


def _plan(handle, spec, values):
    planned = _stages[handle]
    if planned.plan is None:
        return {}
    frame = planned.plan(_frame_of(json.loads(spec)), **json.loads(values))
    names = {numpy.dtype(code): name for name, code in _TYPES.items()}
    if frame.dtype not in names:
        raise ValueError(f"its plan gives samples of {frame.dtype}; choose one of {', '.join(map(str, names))}")
    return {"dtype": names[frame.dtype], "axes": [_described(axis) for axis in frame.axes]}


def _described(axis):
    """What C++ gets of a planned axis."""
    for fact in ("spacing", "origin"):
        if not math.isfinite(getattr(axis, fact)):
            raise ValueError(f"its plan gives the axis '{axis.name}' the {fact} {getattr(axis, fact)}, but it must be a number")
    if axis.size >= 2**53:
        raise ValueError(f"its plan gives an axis of size {axis.size}")
    return {"name": str(axis.name), "size": int(axis.size), "spacing": float(axis.spacing), "origin": float(axis.origin),
            "unit": str(axis.unit)}


def _run(handle, spec, out_spec, values, data, out):
    frame, planned = _parsed(spec, _frame_of), _parsed(out_spec, _frame_of)
    image = _array(data, frame)
    image.flags.writeable = False
    result = numpy.asarray(_result(handle, image, frame, planned, values))
    _check(result, planned)
    _array(out, planned)[...] = result
    return {}


def _result(handle, image, frame, planned, values):
    """What the function returns."""
    echolux_watch.allow_more(8 * (_bytes_of(frame) + _bytes_of(planned)))
    ran = _stages[handle]
    arguments = dict(_parsed(values, dict))
    if ran.knows_frame:
        arguments["frame"] = frame
    return ran.function(image, **arguments)


def _check(result, planned):
    if result.shape != planned.shape:
        raise ValueError(f"it returned the shape {list(result.shape)}, but {list(planned.shape)} was planned")
    if result.dtype.kind == "c" and planned.dtype.kind != "c":
        raise ValueError(f"it returned complex samples, but {planned.dtype} was planned")


_texts = {}


def _parsed(text, make):
    # NOTE: JSON texts repeat from frame to frame, so what they mean is kept.
    key = (text, make)
    if key not in _texts:
        if len(_texts) > 200:
            _texts.clear()
        _texts[key] = make(json.loads(text))
    return _texts[key]


def _bytes_of(frame):
    return math.prod(frame.shape) * frame.dtype.itemsize


def _array(address, frame):
    bytes_ = (ctypes.c_char * _bytes_of(frame)).from_address(address)
    return numpy.frombuffer(bytes_, frame.dtype).reshape(frame.shape)


def _use_gpu(device):
    """An error where there is no CuPy. Gives memory that CuPy has cached on this GPU back; -1: on none."""
    version = "Python %d.%d" % sys.version_info[:2]
    try:
        import cupy
    except ImportError as error:
        if getattr(error, "name", None) == "cupy":
            return {"error": f"CuPy is not installed for {version}"}
        return {"error": f"CuPy cannot be loaded in {version} ({_sentence(error.__cause__ or error)})"}
    if device >= 0:
        cupy.cuda.Device(device).use()
        cupy.get_default_memory_pool().free_all_blocks()
    return {}


def _run_on_gpu(handle, spec, out_spec, values, data, out, device, stream):
    """Enqueues the function's work on `stream`, and a copy of its result. Waits for nothing."""
    cupy = sys.modules["cupy"]
    frame, planned = _parsed(spec, _frame_of), _parsed(out_spec, _frame_of)
    # NOTE: it is the thread's GPU for Echolux, too. CuPy may have another copy of CUDA's runtime, which would "restore"
    # a GPU that Echolux did not choose.
    cupy.cuda.Device(device).use()
    with _stream_at(cupy, stream) as on:
        # NOTE: frames run on several streams. In their order, arrays that a function keeps are complete when the next
        # call reads them, and are read no more when it frees them.
        if device not in _order:
            _order[device] = cupy.cuda.Event(disable_timing=True)
        on.wait_event(_order[device])
        try:
            result = _result(handle, _array_on_gpu(cupy, data, frame, device), frame, planned, values)
            if not isinstance(result, cupy.ndarray):
                raise TypeError(f"it returned a {type(result).__name__} of {type(result).__module__}, but must return a "
                                "CuPy array where it gets one")
            _check(result, planned)
            _array_on_gpu(cupy, out, planned, device)[...] = result
        finally:
            _order[device].record(on)
    return {}


_order = {}  # GPU: the event after the last call there
_streams = {}


class _Stream:
    def __init__(self, address):
        self.address = address

    def __cuda_stream__(self):
        return 0, self.address


def _stream_at(cupy, address):
    if address not in _streams:
        from_external = getattr(cupy.cuda.Stream, "from_external", None)  # since CuPy 14
        _streams[address] = from_external(_Stream(address)) if from_external else cupy.cuda.ExternalStream(address)
    return _streams[address]


def _array_on_gpu(cupy, address, frame, device):
    memory = cupy.cuda.UnownedMemory(address, _bytes_of(frame), None, device)
    return cupy.ndarray(frame.shape, frame.dtype, memptr=cupy.cuda.MemoryPointer(memory, 0))


_TEXT, _POINTER, _INT = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int64
_load_c = ctypes.CFUNCTYPE(_POINTER, _TEXT, _TEXT)(
    lambda source, path: _answer(LONGEST_IMPORT_S, lambda: _load(source.decode(), path.decode())))
_plan_c = ctypes.CFUNCTYPE(_POINTER, _INT, _TEXT, _TEXT)(lambda *arguments: _answer(LONGEST_CALL_S, _plan, *arguments))
_run_c = ctypes.CFUNCTYPE(_POINTER, _INT, _TEXT, _TEXT, _TEXT, _POINTER, _POINTER)(
    lambda *arguments: _answer(LONGEST_CALL_S, _run, *arguments))


_use_gpu_c = ctypes.CFUNCTYPE(_POINTER, _INT)(lambda device: _answer(LONGEST_IMPORT_S, _use_gpu, device))
_run_on_gpu_c = ctypes.CFUNCTYPE(_POINTER, _INT, _TEXT, _TEXT, _TEXT, _POINTER, _POINTER, _INT, _POINTER)(
    lambda *arguments: _answer(LONGEST_GPU_CALL_S, _run_on_gpu, *arguments))


def give(address):
    """Writes the addresses of the five functions to `address`."""
    functions = _load_c, _plan_c, _run_c, _use_gpu_c, _run_on_gpu_c
    table = (ctypes.c_void_p * len(functions)).from_address(address)
    for i, function in enumerate(functions):
        table[i] = ctypes.cast(function, ctypes.c_void_p).value
    echolux_watch.begin()
