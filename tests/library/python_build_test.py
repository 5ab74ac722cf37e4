#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pipelines that are built in code, runs of several frames, and their outputs."""
import unittest

import numpy

from python_here import CINE

import echolux
from echolux import Axis, EcholuxError, Frame, Pipeline, Spec, Stage

TO_ENVELOPE = ["to_float", "analytic", "beamform", "envelope"]


class Built(unittest.TestCase):
    def setUp(self):
        self.recording = echolux.open(CINE)

    def pipeline(self, stages, **options):
        return Pipeline(stages, self.recording, backend="cpu", **options)

    def test_a_list_is_the_pipeline_that_its_file_would_be(self):
        text = """version = 3
[[stage]]
type = "to_float"
[[stage]]
type = "bandpass"
[stage.set]
low = 3e6
[[stage]]
type = "analytic"
[[stage]]
type = "beamform"
set = { f_number = 2, window = "hann", transmits = [0, 1, 0] }
[[stage]]
type = "envelope"
[[stage]]
type = "median"
bypass = true
[[stage]]
type = "log_compression"
"""
        built = self.pipeline(["to_float", ("bandpass", {"low": numpy.float32(3e6)}), Stage("analytic", fuse=False),
                               Stage("beamform", f_number=2, window="hann", transmits=[0, 1, 0], backend="cpu"),
                               "envelope", Stage("median", bypass=True), "log_compression"])
        numpy.testing.assert_array_equal(built.run(self.recording[3]), self.pipeline(text).run(self.recording[3]))
        self.assertEqual((built.outputs, built.beamform.f_number, built.bandpass.low), (("image",), 2.0, 3e6))
        again = self.pipeline(built.text)
        self.assertEqual(again.text, built.text)
        self.assertIn('backend = "cpu"', built.text)
        self.assertIn("fuse = false", built.text)

    def test_branches_join_and_all_outputs_come_at_once(self):
        built = self.pipeline(
            [*TO_ENVELOPE, "log_compression",
             Stage("beamform", id="das_hann", input="analytic", window="hann"), Stage("envelope", id="envelope_hann"),
             Stage("log_compression", id="log_hann"),
             Stage("compare", input="log_compression", inputs={"in2": "log_hann"}, mode="difference", gain=4.0)],
            outputs={"rectangular": "log_compression", "hann": "out@log_hann", "difference": "compare"})
        outputs = built.run_all(self.recording[0])
        self.assertEqual(list(outputs), ["rectangular", "hann", "difference"])
        rectangular, hann, difference = (outputs[name].data for name in outputs)
        self.assertGreater(numpy.abs(difference).max(), 1)
        numpy.testing.assert_allclose(difference, 4 * (rectangular - hann), atol=1e-4)
        numpy.testing.assert_array_equal(built.run(self.recording[0], output="hann"), hann)

    def test_an_input_of_the_frame_before(self):
        built = self.pipeline(
            [*TO_ENVELOPE, "log_compression", Stage("compare", inputs_before={"in2": "log_compression"})],
            outputs={"image": "log_compression", "change": "compare"})
        outputs = built.run_all(self.recording[4:7])
        image = outputs["image"].data
        numpy.testing.assert_allclose(outputs["change"][1:], image[1:] - image[:-1], atol=1e-4)
        numpy.testing.assert_array_equal(outputs["change"][0], image[0])
        # Several frames begin anew; single ones go on.
        numpy.testing.assert_array_equal(built.run(self.recording[4:7], "change"), outputs["change"])
        self.assertLess(numpy.abs(built.run(self.recording[6], "change").data).max(), 1e-4)

    def test_errors_name_the_stage(self):
        for stages, sentence in [
                (["to_float", "beamfrom"], r"^Stage 2 \(beamfrom\): .*beamform"),
                (["to_float", ("bandpass", {"lowest": 2e6})], r"^Stage 2 \(bandpass\): .*'lowest'"),
                (["to_float", Stage("bandpass", id="narrow", low=-5.0)], r"^Stage 2 \(narrow\): .*low"),
                (["to_float", Stage("analytic", input="bandpas")], r"^Stage 2 \(analytic\): .*bandpas"),
                (["to_float", Stage("beamform", window="ham\"m\n")], r"^Stage 2 \(beamform\): .*window"),
                (["to_float", Stage("beamform", window=None)], r"^Stage 2 \(beamform\): window is None; give"),
                (["to_float", Stage("compare", inputs={"in2": "nothing"})], r"^Stage 2 \(compare\): .*nothing"),
                (["to_float", Stage("analytic", backend="gpu")], r"^Stage 2 \(analytic\): .*cpu"),
                ([*TO_ENVELOPE, "envelope"], r"^Stage 5 \(envelope\): "),
                (["to_float", 3], r"^Stage 2 of the pipeline is 3; give"),
                ([], "no stage")]:
            with self.assertRaisesRegex(EcholuxError, sentence):
                self.pipeline(stages)
        with self.assertRaisesRegex(EcholuxError, "^Output 'image': .*'nothing'"):
            self.pipeline(TO_ENVELOPE, outputs={"image": "nothing"})
        with self.assertRaisesRegex(EcholuxError, "^The pipeline: .*ensemble"):
            self.pipeline(TO_ENVELOPE, ensemble=0)
        with self.assertRaisesRegex(EcholuxError, "^Plugin no_such.so: "):
            self.pipeline(TO_ENVELOPE, plugins=["no_such.so"])
        with self.assertRaisesRegex(EcholuxError, "belong to a pipeline that is a list"):
            self.pipeline("rf", outputs={"image": "envelope"})

    def test_an_ensemble_is_run_as_a_whole(self):
        mean = self.pipeline([*TO_ENVELOPE, Stage("ensemble_mean", of="magnitudes")], ensemble=5)
        self.assertEqual(mean.input.shape, (5, *self.recording.spec.shape))
        images = mean.run(self.recording)  # 32 frames are 6 times 5, and 2 are left over
        single = self.pipeline(TO_ENVELOPE)
        expected = single.run(self.recording[:30]).data.reshape(6, 5, *images.shape[1:]).mean(1)
        numpy.testing.assert_allclose(images, expected, rtol=1e-4, atol=1e-4 * expected.max())
        self.assertEqual((images.axes[0].name, images.axes[0].unit), ("frame", "s"))
        self.assertAlmostEqual(images.axes[0].spacing, 5 / 25)
        numpy.testing.assert_array_equal(mean.run(self.recording[5:10]), images[1])
        numpy.testing.assert_array_equal(mean.run(self.recording[5:17]), images[1:3])
        with self.assertRaisesRegex(EcholuxError, "There are 3 frames, but the pipeline takes 5 at once"):
            mean.run(self.recording[:3])
        self.assertEqual(len(list(mean.stream(self.recording))), 6)


class Runs(unittest.TestCase):
    def setUp(self):
        self.recording = echolux.open(CINE)
        self.pipeline = Pipeline("rf", self.recording, backend="cpu")

    def test_a_recording_gives_an_image_per_frame(self):
        images = self.pipeline.run(self.recording)
        one_by_one = numpy.stack([image.data for image in self.pipeline.stream(self.recording)])
        numpy.testing.assert_array_equal(images, one_by_one)
        time = images.axis("frame")
        self.assertEqual((time.size, time.unit, images.number), (32, "s", 0))
        numpy.testing.assert_allclose(time.coordinates, numpy.arange(32) / 25)
        self.assertEqual(images.axes[1:], self.pipeline.run(self.recording[0]).axes)
        numpy.testing.assert_array_equal(self.pipeline.run(self.recording[2:4]), images[2:4])
        numpy.testing.assert_array_equal(self.pipeline.run(list(self.recording[2:4])), images[2:4])

    def test_several_frames_that_do_not_fit_are_refused(self):
        with self.assertRaisesRegex(EcholuxError, "There are 0 frames"):
            self.pipeline.run(self.recording[:0])
        with self.assertRaisesRegex(EcholuxError, "the pipeline takes int16"):
            self.pipeline.run(self.recording[:2, :1])
        with self.assertRaisesRegex(EcholuxError, "the pipeline takes int16"):
            self.pipeline.run(self.recording[:2].astype(float))
        with self.assertRaisesRegex(EcholuxError, r"frames \[65, 32, 1403\], but the pipeline takes"):
            self.pipeline.run(echolux.open(CINE.with_name("sector.h5")))

    def test_a_stream_that_is_given_up_leaves_no_result_behind(self):
        for image in self.pipeline.stream(self.recording):
            break
        numpy.testing.assert_array_equal(self.pipeline.run(self.recording[9]),
                                         Pipeline("rf", self.recording, backend="cpu").run(self.recording[9]))
        stream = self.pipeline.stream(self.recording)
        next(stream)
        with self.assertRaisesRegex(EcholuxError, "stream of this pipeline is being read"):
            self.pipeline.run(self.recording[0])
        with self.assertRaisesRegex(EcholuxError, "no output 'nothing'"):
            self.pipeline.stream(self.recording, output="nothing")

    def test_an_array_of_one_frame_without_a_frame_rate(self):
        spec = Spec("f32", [Axis("lateral", 4), Axis("sample", 64)], centre_wavelength_m=840e-9, bandwidth_m=100e-9)
        images = Pipeline("oct", spec, backend="cpu").run(numpy.ones((3, *spec.shape), numpy.float32))
        self.assertEqual((images.axes[0], images.shape[0]), (Axis("frame", 3), 3))


class Outputs(unittest.TestCase):
    def test_axes_unit_and_range(self):
        recording = echolux.open(CINE)
        pipeline = Pipeline("rf", recording, backend="cpu")
        pipeline.log_compression.range_db = 45
        image = pipeline.run(recording[0])
        self.assertEqual((image.unit, image.range), ("dB", (-45.0, 0.0)))
        depth = image.axis("depth").coordinates
        brightest = depth[numpy.unravel_index(image.data.argmax(), image.shape)[0]]
        # The wires of the phantom lie at these depths, see testdata/README.md.
        self.assertLess(numpy.abs(numpy.array([6, 12, 18, 24, 30]) * 1e-3 - brightest).min(), 0.5e-3)
        with self.assertRaisesRegex(EcholuxError, "no axis 'frame'; it has depth, lateral"):
            image.axis("frame")

    def test_the_extent_is_that_of_pixels(self):
        axes = (Axis("depth", 3, 2.0, 10.0, "m"), Axis("lateral", 5, 1.0, -2.0, "m"))
        frame = Frame(numpy.zeros((3, 5), numpy.float32), axes, "image", 0)
        self.assertEqual(frame.extent, (-2.5, 2.5, 15.0, 9.0))
        with self.assertRaisesRegex(EcholuxError, "no image"):
            Frame(numpy.zeros(3), axes[:1], "line", 0).extent

    def test_they_are_arrays_without_a_copy(self):
        frame = Frame(numpy.zeros((3, 5), numpy.float32), (), "image", 0)
        self.assertTrue(numpy.shares_memory(numpy.asarray(frame), frame.data))
        self.assertFalse(numpy.shares_memory(numpy.array(frame), frame.data))
        self.assertEqual(numpy.asarray(frame, float).dtype, float)
        with self.assertRaises(ValueError):
            frame.__array__(float, copy=False)

    def test_xarray_keeps_axes_and_units(self):
        try:
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("xarray is not installed")
        recording = echolux.open(CINE)
        array = Pipeline("rf", recording, backend="cpu").run(recording[:2]).to_xarray()
        self.assertEqual(array.dims, ("frame", "depth", "lateral"))
        self.assertEqual((array.attrs["units"], array.depth.attrs["units"], array.frame.attrs["units"]), ("dB", "m", "s"))
        self.assertAlmostEqual(float(array.frame[1]), 1 / 25)


class Shared(unittest.TestCase):
    """Frames of other libraries, in host memory."""

    def setUp(self):
        self.recording = echolux.open(CINE)
        self.raw = self.recording[0]
        self.pipeline = Pipeline("rf", self.recording, backend="cpu")
        self.image = self.pipeline.run(self.raw)

    def test_pytorch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        numpy.testing.assert_array_equal(self.pipeline.run(torch.from_numpy(self.raw)), self.image)
        seen = torch.from_dlpack(self.image)
        self.assertEqual(seen.data_ptr(), self.image.data.ctypes.data)
        seen[0, 0] = 7
        self.assertEqual(self.image[0, 0], 7)

    def test_jax(self):
        try:
            import jax.numpy
        except ImportError:
            self.skipTest("JAX is not installed")
        given = jax.numpy.asarray(self.raw)
        numpy.testing.assert_array_equal(self.pipeline.run(given), self.image)
        seen = jax.numpy.from_dlpack(self.image)
        self.assertEqual(seen.unsafe_buffer_pointer(), self.image.data.ctypes.data)
        numpy.testing.assert_array_equal(numpy.asarray(seen), self.image)

    def test_dlpack_alone(self):
        raw = self.raw

        class Packed:
            def __dlpack__(self, **options):
                return raw.__dlpack__(**options)

            def __dlpack_device__(self):
                return raw.__dlpack_device__()

        numpy.testing.assert_array_equal(self.pipeline.run(Packed()), self.image)


if __name__ == "__main__":
    unittest.main()
