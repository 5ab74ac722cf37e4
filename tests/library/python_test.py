#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package on libecholux: its examples, and what its users do right and wrong.

ECHOLUX_LIBRARY names the library."""
import contextlib
import ctypes
import doctest
import importlib
import io
import os
import pathlib
import re
import tempfile
import threading
import unittest
import weakref

import numpy

from python_here import CINE, ROOT

import echolux
from echolux import _dlpack


class Recordings(unittest.TestCase):
    def test_frames_and_axes_are_those_of_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "data.npy"
            written = numpy.arange(24, dtype=numpy.int16).reshape(2, 3, 4)
            numpy.save(path, written)
            path.with_suffix(".npy.toml").write_text(
                'sound_speed = 1500\n[data]\naxes = ["transmit", "channel", "sample"]\n[probe]\npitch = 0.3e-3\n'
                "[signal]\nsampling_frequency = 20e6\ncentre_frequency = 5e6\n[transmit]\nangles_deg = [-1, 1]\n")
            with echolux.open(path) as recording:
                self.assertEqual(len(recording), 1)
                numpy.testing.assert_array_equal(recording[0], written)
                sample = recording.spec.axes[2]
                self.assertEqual((sample.name, sample.size, sample.unit), ("sample", 4, "s"))
                self.assertAlmostEqual(sample.spacing, 1 / 20e6)

    def test_the_class_lists_the_facts_of_the_library(self):
        facts = {name for name, fact in vars(echolux.Spec).items() if isinstance(fact, type(vars(echolux.Spec)["pitch_m"]))}
        with self.assertRaisesRegex(echolux.EcholuxError, "choose one of") as refused:
            echolux.Spec("i16", [echolux.Axis("sample", 4)], no_such_fact=1.0)
        names = re.search(r"choose one of ([a-z_, ]+)", str(refused.exception))
        self.assertEqual(set(names.group(1).split(", ")), facts)

    def test_a_closed_recording_refuses(self):
        recording = echolux.open(CINE)
        recording.close()
        with self.assertRaisesRegex(echolux.EcholuxError, "closed"):
            len(recording)

    def test_a_missing_file_is_named(self):
        with self.assertRaisesRegex(echolux.EcholuxError, "no_such_file"):
            echolux.open("no_such_file.h5")


class Cuda:
    """The CUDA runtime by hand, in place of CuPy."""

    def __init__(self):
        self._runtime = ctypes.CDLL(os.environ.get("ECHOLUX_CUDART", "libcudart.so"))

    def memory(self, array):
        """A copy of `array` in GPU memory: its address."""
        place = ctypes.c_void_p()
        assert self._runtime.cudaMalloc(ctypes.byref(place), ctypes.c_size_t(array.nbytes)) == 0
        self._copy(place, ctypes.c_void_p(array.ctypes.data), array.nbytes)
        return place.value

    def fetched(self, address, shape, dtype):
        array = numpy.empty(shape, dtype)
        self._copy(ctypes.c_void_p(array.ctypes.data), ctypes.c_void_p(address), array.nbytes)
        return array

    def _copy(self, to, source, size):
        either_way = 4  # cudaMemcpyDefault
        assert self._runtime.cudaMemcpy(to, source, ctypes.c_size_t(size), either_way) == 0


class OnGpu(unittest.TestCase):
    def setUp(self):
        self.recording = echolux.open(CINE)
        try:
            self.pipeline = echolux.Pipeline("rf", self.recording, backend="cuda")
            self.cuda = Cuda()
        except (echolux.EcholuxError, OSError) as error:
            if os.environ.get("ECHOLUX_REQUIRE_GPU") == "1":
                raise
            self.skipTest(f"no GPU: {error}")
        self.raw = numpy.ascontiguousarray(self.recording[0])
        self.image = self.pipeline.run(self.raw).data

    def test_frames_are_read_where_they_lie(self):
        address = self.cuda.memory(self.raw)
        interface = {"shape": self.raw.shape, "typestr": self.raw.dtype.str, "data": (address, True), "version": 3}
        frame = type("Frame", (), {"__cuda_array_interface__": interface})()
        numpy.testing.assert_array_equal(self.pipeline.run(frame).data, self.image)
        on_cpu = echolux.Pipeline("rf", self.recording, backend="cpu").run(self.raw).data
        self.assertLess(numpy.abs(self.image - on_cpu).max(), 0.05)

    def test_frames_of_dlpack_are_read_where_they_lie(self):
        frame = Packed(self.cuda.memory(self.raw), self.raw.shape, self.raw.dtype)
        numpy.testing.assert_array_equal(self.pipeline.run(frame).data, self.image)
        with self.assertRaisesRegex(echolux.EcholuxError, "the pipeline takes int16"):
            self.pipeline.run(Packed(frame.address, self.raw.shape[1:], self.raw.dtype))

    def test_outputs_stay_there_until_the_next(self):
        output = self.pipeline.run_on_gpu(self.raw)
        interface = output.__cuda_array_interface__
        self.assertEqual(interface["shape"], self.image.shape)
        numpy.testing.assert_array_equal(self.cuda.fetched(interface["data"][0], self.image.shape, self.image.dtype), self.image)
        address, shape, dtype, dense = _dlpack.array_in(output.__dlpack__())
        self.assertEqual((address, shape, dtype, dense), (interface["data"][0], self.image.shape, self.image.dtype, True))
        self.pipeline.run(self.raw)
        with self.assertRaisesRegex(echolux.EcholuxError, "copy what you keep"):
            output.__cuda_array_interface__

    def test_cupy_shares_both_ways(self):
        cupy = self.installed("cupy")
        frame = cupy.asarray(self.raw)
        numpy.testing.assert_array_equal(self.pipeline.run(frame).data, self.image)
        output = self.pipeline.run_on_gpu(frame)
        for seen in (cupy.asarray(output), cupy.from_dlpack(output)):
            self.assertEqual(seen.data.ptr, output.__cuda_array_interface__["data"][0])
            numpy.testing.assert_array_equal(cupy.asnumpy(seen), self.image)
        several = self.pipeline.run(cupy.stack([frame, frame]))
        numpy.testing.assert_array_equal(several, [self.image, self.image])

    def test_jax_shares_both_ways(self):
        jax = self.installed("jax")
        if all(device.platform != "gpu" for device in jax.devices()):
            self.skipTest("JAX sees no GPU")
        frame = jax.device_put(self.raw)
        numpy.testing.assert_array_equal(self.pipeline.run(frame).data, self.image)
        output = self.pipeline.run_on_gpu(frame)
        seen = jax.dlpack.from_dlpack(output)
        self.assertEqual(seen.unsafe_buffer_pointer(), output.__cuda_array_interface__["data"][0])
        numpy.testing.assert_array_equal(numpy.asarray(seen), self.image)

    def test_pytorch_shares_both_ways(self):
        torch = self.installed("torch")
        frame = torch.from_numpy(self.raw).cuda()
        numpy.testing.assert_array_equal(self.pipeline.run(frame).data, self.image)
        with self.assertRaisesRegex(echolux.EcholuxError, "contiguous"):
            self.pipeline.run(torch.cat([frame, frame], dim=-1)[..., ::2])
        seen = torch.from_dlpack(self.pipeline.run_on_gpu(frame))
        numpy.testing.assert_array_equal(seen.cpu().numpy(), self.image)

    def installed(self, name):
        try:
            return importlib.import_module(name)
        except ImportError:
            self.skipTest(f"{name} is not installed")


class Packed:
    """An array in GPU memory that speaks DLPack alone."""

    def __init__(self, address, shape, dtype):
        self.address, self.shape, self.dtype = address, shape, dtype

    def __dlpack__(self, stream):
        assert stream == 1
        return _dlpack.capsule_of(self, self.address, self.shape, self.dtype, 0)

    def __dlpack_device__(self):
        return 2, 0


class Capsules(unittest.TestCase):
    def test_what_goes_in_comes_out(self):
        for dtype in ("int16", "uint8", "float32", "float64", "complex64"):
            capsule = _dlpack.capsule_of(None, 4096, (2, 3, 4), numpy.dtype(dtype), 0)
            self.assertEqual(_dlpack.array_in(capsule), (4096, (2, 3, 4), numpy.dtype(dtype), True))

    def test_what_nobody_takes_is_freed(self):
        owner = Packed(4096, (2,), numpy.dtype("f4"))
        gone = weakref.ref(owner)
        capsule = _dlpack.capsule_of(owner, 4096, (2,), owner.dtype, 0)
        del owner
        self.assertIsNotNone(gone())
        del capsule
        self.assertIsNone(gone())

    def test_numpy_reads_frames_of_the_host(self):
        with echolux.open(CINE) as recording:
            image = echolux.Pipeline("rf", recording, backend="cpu").run(recording[0])
            numpy.testing.assert_array_equal(numpy.from_dlpack(image), image.data)


class Pipelines(unittest.TestCase):
    def setUp(self):
        self.recording = echolux.open(CINE)
        self.pipeline = echolux.Pipeline("rf", self.recording, backend="cpu")

    def test_an_edit_holds_for_the_next_frame(self):
        before = self.pipeline.run(self.recording[0]).data
        self.pipeline["log_compression.range_db"] = 30
        after = self.pipeline.run(self.recording[0]).data
        self.assertLess(before.min(), -30)
        self.assertGreaterEqual(after.min(), -30)

    def test_a_stream_is_frames_one_by_one(self):
        single = echolux.Pipeline("rf", self.recording, backend="cpu")
        results = list(self.pipeline.stream(self.recording[i] for i in range(4)))
        self.assertEqual([r.number for r in results], [0, 1, 2, 3])
        for i, result in enumerate(results):
            numpy.testing.assert_array_equal(result.data, single.run(self.recording[i]).data)

    def test_parameters_have_what_a_slider_needs(self):
        number = self.pipeline.parameters["beamform.f_number"]
        self.assertEqual(number.type, "real")
        self.assertLess(number.minimum, number.maximum)
        self.assertTrue(number.label and number.help)
        choice = self.pipeline.parameters["beamform.interpolation"]
        self.assertIn(choice.value, choice.choices)

    def test_wrong_frames_are_refused_before_they_are_read(self):
        raw = self.recording[0]
        for wrong in (raw[:1, :4], raw.astype(numpy.float32), [[1, 2]]):
            with self.assertRaisesRegex(echolux.EcholuxError, "the pipeline takes int16"):
                self.pipeline.run(wrong)
        swapped = numpy.asfortranarray(raw)
        numpy.testing.assert_array_equal(self.pipeline.run(swapped).data, self.pipeline.run(raw).data)

    def test_memory_of_a_gpu_is_refused_on_the_cpu(self):
        raw = self.recording[0]

        class OnGpu:
            __cuda_array_interface__ = {"shape": raw.shape, "typestr": raw.dtype.str, "data": (4096, True), "version": 3}

        with self.assertRaises(echolux.EcholuxError):
            self.pipeline.run(OnGpu())
        OnGpu.__cuda_array_interface__["strides"] = (2, 2, 2)
        with self.assertRaisesRegex(echolux.EcholuxError, "contiguous"):
            self.pipeline.run(OnGpu())

    def test_what_stays_on_a_gpu_is_refused_on_the_cpu(self):
        with self.assertRaisesRegex(echolux.EcholuxError, "runs on CPU.*cuda"):
            self.pipeline.run_on_gpu(self.recording[0])

    def test_wrong_names_and_values_are_refused(self):
        with self.assertRaisesRegex(echolux.EcholuxError, "f_nummer"):
            self.pipeline["beamform.f_nummer"] = 1
        with self.assertRaisesRegex(AttributeError, "it has .*f_number"):
            self.pipeline.beamform.f_nummer = 1
        with self.assertRaises(echolux.EcholuxError):
            self.pipeline["beamform.f_number"] = 1e9
        with self.assertRaisesRegex(echolux.EcholuxError, "nothing"):
            self.pipeline.run(self.recording[0], output="nothing")
        with self.assertRaises(echolux.EcholuxError):
            echolux.Pipeline("version = 3\n[[stage]]\ntype = \"nothing\"\n", self.recording)

    def test_the_interpreter_goes_on_while_a_frame_is_computed(self):
        running, turns = threading.Event(), 0
        frame = self.recording[0]

        def compute():
            for _ in range(5):
                self.pipeline.run(frame)
            running.set()

        worker = threading.Thread(target=compute)
        worker.start()
        while not running.is_set():
            turns += 1
        worker.join()
        self.assertGreater(turns, 0)

    def test_a_described_frame_is_imaged(self):
        raw = self.recording.spec
        spec = echolux.Spec("i16", raw.axes, centre_frequency_hz=5e6,
                            elements=[[(e - 31.5) * 0.3e-3, 0, 0] for e in range(raw.axes[1].size)])
        for angle in (-0.1, 0.0, 0.1)[: raw.axes[0].size]:
            spec.add_transmit("plane", angle_rad=angle)
        self.assertEqual(spec.shape, raw.shape)
        image = echolux.Pipeline("rf", spec, backend="cpu").run(self.recording[0])
        self.assertEqual([axis.name for axis in image.axes], ["depth", "lateral"])
        self.assertTrue(numpy.isfinite(image.data).all())
        left, right, bottom, top = image.extent
        self.assertTrue(left < right and bottom > top)


class HelpPage(unittest.TestCase):
    def test_every_example_runs(self):
        page = (ROOT / "resources/help/python.md").read_text()
        examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertGreater(len(examples), 2)
        names = {}
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            for example in examples:
                exec(compile(example, "python.md", "exec"), names)
        self.assertIn("<Frame image: float32 [depth", printed.getvalue())
        self.assertEqual(names["pipeline"].beamform.f_number, 2.0)
        self.assertEqual(names["silence"].data.ndim, 2)
        self.assertIn("sharpest at 1540 m/s", printed.getvalue())


def load_tests(loader, tests, _):
    for name in ("", ".spec", ".recording", ".build", ".pipeline"):
        tests.addTests(doctest.DocTestSuite(importlib.import_module("echolux" + name)))
    return tests


if __name__ == "__main__":
    unittest.main()
