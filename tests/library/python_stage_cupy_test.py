#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the module echolux_stages does on a GPU, with a CuPy that computes by NumPy in host memory and notes the calls.

python_stage_gpu_test.py tests the same with CuPy on a GPU."""
import ctypes
import importlib.util
import json
import sys
import types
import unittest
from unittest import mock

import numpy

from python_here import ROOT

SPEC = {"dtype": "f32", "facts": {}, "axes": [{"name": "depth", "size": 3, "spacing": 1.0, "origin": 0.0, "unit": "m"},
                                              {"name": "lateral", "size": 2, "spacing": 1.0, "origin": 0.0, "unit": "m"}]}
COMPLEX = {**SPEC, "dtype": "complex_f32"}
IMAGE = numpy.arange(6, dtype="f4").reshape(3, 2)


class FakeArray(numpy.ndarray):
    """cupy.ndarray(shape, dtype, memptr=...) over host memory."""

    def __new__(cls, shape, dtype, memptr=None):
        size = int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize
        address, given = memptr
        assert given == size
        return numpy.frombuffer((ctypes.c_char * size).from_address(address), dtype).reshape(shape).view(cls)


class Noted:
    """A stream, an event or a GPU, whose uses are noted in `calls`."""

    def __init__(self, calls, name):
        self.calls, self.name = calls, name

    def __enter__(self):
        self.calls.append(f"enter {self.name}")
        return self

    def __exit__(self, *_):
        self.calls.append(f"leave {self.name}")

    def use(self):
        self.calls.append(f"use {self.name}")

    def wait_event(self, event):
        self.calls.append(f"{self.name} waits for {event.name}")

    def record(self, stream):
        self.calls.append(f"{self.name} after {stream.name}")


class FakeCupy(types.ModuleType):
    ndarray = FakeArray

    def __init__(self, calls, version=14):
        super().__init__("cupy")
        self.cuda = types.SimpleNamespace(
            Device=lambda number: Noted(calls, f"GPU {number}"), MemoryPointer=lambda memory, offset: memory,
            UnownedMemory=lambda address, size, owner, device: (address, size),
            Event=lambda disable_timing: Noted(calls, "event"), Stream=types.SimpleNamespace(),
            ExternalStream=lambda address: Noted(calls, f"stream {address}"))
        if version >= 14:
            self.cuda.Stream.from_external = lambda of: Noted(calls, f"stream {of.__cuda_stream__()[1]}")
        pool = types.SimpleNamespace(free_all_blocks=lambda: calls.append("pool freed"))
        self.get_default_memory_pool = lambda: pool

    def get_array_module(self, array):
        return self if isinstance(array, FakeArray) else numpy


class OnAGpu(unittest.TestCase):
    def setUp(self):
        self.calls = []
        self.use(FakeCupy(self.calls))
        sys.path.insert(0, str(ROOT / "app/pipeline/python"))  # echolux_watch
        spec = importlib.util.spec_from_file_location("echolux_stages", ROOT / "app/pipeline/python/echolux_stages.py")
        self.stages = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.stages)
        patch = mock.patch.dict(sys.modules, {"echolux_stages": self.stages})
        patch.start()
        self.addCleanup(patch.stop)

    def use(self, cupy):
        patch = mock.patch.dict(sys.modules, {"cupy": cupy})
        patch.start()
        self.addCleanup(patch.stop)

    def answer(self, function, *arguments):
        return json.loads(ctypes.string_at(self.stages._answer(self.stages.LONGEST_GPU_CALL_S, function, *arguments)))

    def loaded(self, body):
        text = f"import numpy\nfrom echolux_stages import *\n@stage(gpu=True)\ndef it(image, gain=Real(2, 0, 9)):\n    {body}\n"
        answer = self.answer(self.stages._load, text, "it.py")
        self.assertTrue(answer["stages"][0]["gpu"])
        return answer["stages"][0]["handle"]

    def run_stage(self, body, values=None, out_spec=SPEC, stream=77):
        handle, out = self.loaded(body), numpy.full((3, 2), -1, "c8" if out_spec is COMPLEX else "f4")
        image = IMAGE.copy()
        answer = self.answer(self.stages._run_on_gpu, handle, json.dumps(SPEC).encode(), json.dumps(out_spec).encode(),
                             json.dumps(values or {"gain": 2}).encode(), image.ctypes.data, out.ctypes.data, 1, stream)
        return answer, out

    def test_a_stage_asks_for_a_gpu(self):
        text = "from echolux_stages import stage\n@stage\ndef it(image): return image\n"
        self.assertFalse(self.answer(self.stages._load, text, "it.py")["stages"][0]["gpu"])

    def test_the_work_is_enqueued_on_the_stream_behind_the_call_before(self):
        for version in (13, 14):
            self.use(FakeCupy(self.calls, version))
            self.stages._streams.clear()
            del self.calls[:]
            answer, out = self.run_stage("return image * gain", {"gain": 3})
            self.assertEqual(answer, {})
            numpy.testing.assert_array_equal(out, 3 * IMAGE)
            self.assertEqual(self.calls, ["use GPU 1", "enter stream 77", "stream 77 waits for event", "event after stream 77",
                                          "leave stream 77"])

    def test_the_view_lies_where_the_frame_lies(self):
        answer, out = self.run_stage("numpy.ndarray.__setitem__(image, (0, 0), 5); return image + 0")
        self.assertEqual((answer, out[0, 0]), ({}, 5))
        _, out = self.run_stage("return image * 1j", out_spec=COMPLEX)
        numpy.testing.assert_array_equal(out, IMAGE * 1j)

    def test_what_goes_wrong_is_a_clause_and_leaves_the_order_whole(self):
        for body, words in {"return image[1:]": ["[2, 2]", "[3, 2]"], "return image * 1j": ["complex"],
                            "return numpy.array(image)": ["ndarray of numpy", "CuPy"], "return 1 / 0": ["ZeroDivisionError", "line 5"],
                            "return None": ["NoneType", "CuPy"]}.items():
            del self.calls[:]
            answer, out = self.run_stage(body)
            for word in words:
                self.assertIn(word, answer["error"])
            self.assertEqual(out.min(), -1)
            self.assertEqual(self.calls[-2:], ["event after stream 77", "leave stream 77"])

    def test_a_call_may_take_longer_than_on_the_cpu(self):
        self.stages.echolux_watch._start()
        self.stages.LONGEST_CALL_S = 0.1
        long = "import time; end = time.monotonic() + 0.6\n    while time.monotonic() < end: pass\n    return image + 0"
        self.assertEqual(self.run_stage(long)[0], {})
        self.stages.LONGEST_GPU_CALL_S = 0.1
        self.assertIn("within 0.1 s", self.run_stage("while True: pass")[0]["error"])

    def test_the_pool_is_freed_on_the_gpu_that_is_used(self):
        self.assertEqual(self.answer(self.stages._use_gpu, -1), {})
        self.assertEqual(self.calls, [])
        self.assertEqual(self.answer(self.stages._use_gpu, 1), {})
        self.assertEqual(self.calls, ["use GPU 1", "pool freed"])

    def test_without_cupy_the_reason_is_said(self):
        with mock.patch.dict(sys.modules, {"cupy": None}):
            self.assertRegex(self.answer(self.stages._use_gpu, -1)["error"], r"^CuPy is not installed for Python 3\.\d+$")

        def broken(name, *arguments):
            raise ImportError("\n====\nFailed to import CuPy.\n====\n") from ImportError("libcublas.so.13: no such file")

        with mock.patch.dict(sys.modules), mock.patch("builtins.__import__", broken):
            self.assertIn("libcublas.so.13: no such file", self.answer(self.stages._use_gpu, -1)["error"])

    def test_the_module_of_an_array(self):
        self.run_stage("import echolux_stages; echolux_stages.seen = array_module(image); return image + 0")
        self.assertIs(self.stages.seen, sys.modules["cupy"])
        self.assertIs(self.stages.array_module(IMAGE), numpy)
        with mock.patch.dict(sys.modules):
            del sys.modules["cupy"]
            self.assertIs(self.stages.array_module(IMAGE), numpy)


if __name__ == "__main__":
    unittest.main()
