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
import sys
import tempfile
import threading
import unittest

import numpy

ROOT = pathlib.Path(__file__).parents[2]
os.chdir(ROOT)  # the examples open testdata
sys.path.insert(0, str(ROOT / "app/library/python"))
import echolux  # noqa: E402

CINE = ROOT / "testdata/phantom_cine.echolux.h5"


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

    def test_a_closed_recording_refuses(self):
        recording = echolux.open(CINE)
        recording.close()
        with self.assertRaisesRegex(echolux.EcholuxError, "closed"):
            len(recording)

    def test_a_missing_file_is_named(self):
        with self.assertRaisesRegex(echolux.EcholuxError, "no_such_file"):
            echolux.open("no_such_file.h5")

    def test_indices(self):
        with echolux.open(CINE) as recording:
            numpy.testing.assert_array_equal(recording[-1], recording[len(recording) - 1])
            for beyond in (len(recording), -len(recording) - 1):
                with self.assertRaises(IndexError):
                    recording[beyond]


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

    def test_frames_in_gpu_memory_are_imaged_where_they_are(self):
        try:
            pipeline = echolux.Pipeline("rf", self.recording, backend="cuda")
            runtime = ctypes.CDLL(os.environ.get("ECHOLUX_CUDART", "libcudart.so"))
        except (echolux.EcholuxError, OSError) as error:
            if os.environ.get("ECHOLUX_REQUIRE_GPU") == "1":
                raise
            self.skipTest(f"no GPU: {error}")
        raw, place = numpy.ascontiguousarray(self.recording[0]), ctypes.c_void_p()
        self.assertEqual(runtime.cudaMalloc(ctypes.byref(place), ctypes.c_size_t(raw.nbytes)), 0)
        to_device = 1
        self.assertEqual(runtime.cudaMemcpy(place, ctypes.c_void_p(raw.ctypes.data), ctypes.c_size_t(raw.nbytes), to_device), 0)

        class OnGpu:
            __cuda_array_interface__ = {"shape": raw.shape, "typestr": raw.dtype.str, "data": (place.value, True), "version": 3}

        on_gpu = pipeline.run(OnGpu()).data
        numpy.testing.assert_array_equal(on_gpu, pipeline.run(raw).data)
        self.assertLess(numpy.abs(on_gpu - self.pipeline.run(raw).data).max(), 0.05)
        runtime.cudaFree(place)

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


def load_tests(loader, tests, _):
    for name in ("echolux", "echolux.spec", "echolux.recording", "echolux.pipeline"):
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name)))
    return tests


if __name__ == "__main__":
    unittest.main()
