#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies and pickles: the original goes on when a copy is gone, and the copy gives the same."""
import copy
import gc
import multiprocessing
import pathlib
import pickle
import tempfile
import unittest

import numpy

from python_here import CINE, TESTDATA

import echolux
from echolux import Axis, Frame, GpuFrame, Pipeline, Pose, Spec

WAYS = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda each: pickle.loads(pickle.dumps(each))}


def described():
    spec = Spec("complex_f32", [Axis("transmit", 2), Axis("channel", 4), Axis("sample", 50, 1 / 40e6, unit="s")],
                elements=[[e * 1e-3, 0, 0] for e in range(4)], centre_frequency_hz=10e6, sound_speed_mps=1490,
                pitch_m=1e-3, demodulation_frequency_hz=9e6, frame_interval_s=0.1)
    spec.add_transmit("focused", point_m=(1e-3, 0, 5e-3), origin_m=(1e-4, 2e-4, 0), first_sample_s=1e-6)
    spec.add_transmit("plane", angle_rad=0.2, elevation_rad=-0.1, iq_phase_zero_s=3e-6)
    spec.pose = Pose([[0, 0, 1, 0.1], [1, 0, 0, 0.2], [0, 1, 0, 0.3], [0, 0, 0, 1]], "room")
    return spec


def facts_of(spec):
    facts = {name: getattr(spec, name) for name in dir(spec) if not name.startswith("_")}
    facts["weights"] = [each.weights.tolist() for each in spec.transmits]
    return {name: each.tolist() if isinstance(each, numpy.ndarray) else each
            for name, each in facts.items() if not callable(each)}


def image_of(pipeline, recording, index):
    """In another process."""
    return pipeline.run(recording[index]).data


def told(pipeline, frame, pipe):
    try:
        pipeline.run(frame)
        pipe.send("it ran")
    except echolux.EcholuxError as error:
        pipe.send(str(error))


class Copies(unittest.TestCase):
    def setUp(self):
        self.recording = echolux.open(CINE)
        self.addCleanup(self.recording.close)
        self.pipeline = Pipeline("rf", self.recording, backend="cpu")
        self.pipeline.beamform.f_number = 2.5
        self.image = self.pipeline.run(self.recording[0]).data

    def test_of_recordings(self):
        frame = self.recording[3]
        for way, copied in WAYS.items():
            other = copied(self.recording)
            numpy.testing.assert_array_equal(other[3], frame, way)
            del other
            gc.collect()
            numpy.testing.assert_array_equal(self.recording[3], frame, way)
        self.recording.close()
        with self.assertRaisesRegex(echolux.EcholuxError, "closed"):
            copy.copy(self.recording)

    def test_of_pipelines(self):
        for way, copied in WAYS.items():
            other = copied(self.pipeline)
            self.assertEqual(other.beamform.f_number, 2.5, way)
            numpy.testing.assert_array_equal(other.run(self.recording[0]).data, self.image, way)
            other.beamform.f_number = 1.0
            del other
            gc.collect()
            self.assertEqual(self.pipeline.beamform.f_number, 2.5, way)
            numpy.testing.assert_array_equal(self.pipeline.run(self.recording[0]).data, self.image, way)

    def test_of_pipelines_whose_recording_is_closed(self):
        frame = self.recording[0]
        by_spec = Pipeline("rf", self.recording.spec, backend="cpu")
        by_spec.beamform.f_number = 2.5
        self.recording.close()
        for pipeline in (self.pipeline, by_spec):
            for way, copied in WAYS.items():
                numpy.testing.assert_array_equal(copied(pipeline).run(frame).data, self.image, way)

    def test_of_pipelines_of_described_frames(self):
        spec = Spec("f32", [Axis("depth", 6, 1e-4, 0.0, "m"), Axis("lateral", 4, 1e-4, 0.0, "m")])
        pipeline = Pipeline([("tgc", {"gain_db": 6.0})], spec, backend="cpu")
        frame = numpy.arange(24, dtype=numpy.float32).reshape(6, 4)
        for way, copied in WAYS.items():
            numpy.testing.assert_array_equal(copied(pipeline).run(frame), pipeline.run(frame), way)
        self.assertEqual(copy.copy(pipeline.tgc).gain_db, 6.0)

    def test_of_specifications(self):
        own = described()
        with echolux.open(TESTDATA / "sector.h5") as sector, echolux.open(TESTDATA / "retina_cine.echolux.h5") as retina:
            for spec in (own, self.recording.spec, sector.spec, retina.spec, self.pipeline.input):
                expected = facts_of(spec)
                for way, copied in WAYS.items():
                    self.assertEqual(facts_of(copied(spec)), expected, way)
                    gc.collect()
                    self.assertEqual(facts_of(spec), expected, way)
        other = copy.copy(own)
        other.sound_speed_mps = 1600
        other.add_transmit("plane")
        self.assertEqual((own.sound_speed_mps, len(own.transmits)), (1490, 2))

    def test_of_images(self):
        image = self.pipeline.run(self.recording[0])
        for way, copied in WAYS.items():
            other = copied(image)
            self.assertIsInstance(other, Frame)
            numpy.testing.assert_array_equal(other, image, way)
            self.assertEqual((other.axes, other.name, other.number, other.unit, other.range, other.extent),
                             (image.axes, image.name, image.number, image.unit, image.range, image.extent))
        on_gpu = GpuFrame(lambda: 4096, 0, self.pipeline.input, "image", 0)
        for copied in WAYS.values():
            with self.assertRaisesRegex(TypeError, "GPU memory"):
                copied(on_gpu)

    def test_other_processes_get_their_own(self):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            there = pool.apply(image_of, (self.pipeline, self.recording, 0))
        numpy.testing.assert_array_equal(there, self.image)

    def test_a_forked_process_is_told(self):
        fork = multiprocessing.get_context("fork")
        here, there = fork.Pipe()
        child = fork.Process(target=told, args=(self.pipeline, self.recording[0], there))
        child.start()
        self.assertIn("forked", here.recv())
        child.join()
        self.assertEqual(child.exitcode, 0)


class Streams(unittest.TestCase):
    def test_a_frame_that_fails_ends_its_stream_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "fails.py"
            path.write_text("from echolux_stages import stage\n@stage\ndef fails_at_two(image):\n"
                            "    if image[0, 0] == 2:\n        raise ValueError('two')\n    return image\n")
            echolux.allow_plugin(str(path))
            spec = Spec("f32", [Axis("depth", 6, 1e-4, 0.0, "m"), Axis("lateral", 4, 1e-4, 0.0, "m")])
            pipeline = Pipeline(["fails_at_two"], spec, plugins=[path], backend="cpu")
            frames = [numpy.full(spec.shape, value, spec.dtype) for value in (1, 2, 2, 3)]
            stream = pipeline.stream(frames)
            self.assertEqual(next(stream)[0, 0], 1)
            with self.assertRaisesRegex(echolux.EcholuxError, "two"):
                next(stream)
            self.assertEqual(pipeline.run(frames[3])[0, 0], 3)


if __name__ == "__main__":
    unittest.main()
