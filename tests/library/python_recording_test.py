#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings as arrays and their geometry. Expected values are those of testdata/README.md, or NumPy's."""
import concurrent.futures
import importlib.util
import json
import pathlib
import pickle
import tempfile
import unittest
import warnings

import numpy

from python_here import CINE, TESTDATA

import echolux
from echolux import Axis, Spec


class Outputs(unittest.TestCase):
    def setUp(self):
        self.data = numpy.arange(6, dtype=numpy.float32).reshape(3, 2)
        axes = (Axis("depth", 3, 1e-4, 0.0, "m"), Axis("lateral", 2, 2e-4, 0.0, "m"))
        self.frame = echolux.Frame(self.data, axes, "image", 0, "dB")

    def test_they_calculate_and_compare_as_arrays(self):
        other = echolux.Frame(self.data[::-1].copy(), self.frame.axes, "other", 0, "dB")
        for mine, arrays in ((self.frame - other, self.data - other.data), (2 * self.frame, 2 * self.data),
                             (-self.frame, -self.data), (self.frame >= other, self.data >= other.data),
                             (self.frame == other, self.data == other.data), (numpy.exp(self.frame), numpy.exp(self.data)),
                             (numpy.maximum(self.frame, 3), numpy.maximum(self.data, 3))):
            self.assertIs(type(mine), numpy.ndarray)
            numpy.testing.assert_array_equal(mine, arrays)
        self.frame += 1
        numpy.testing.assert_array_equal(self.frame, numpy.arange(1, 7).reshape(3, 2))

    def test_they_are_reduced_along_axes_with_names(self):
        for name in ("max", "min", "sum", "mean", "std"):
            mine, arrays = getattr(self.frame, name), getattr(self.data, name)
            self.assertEqual(mine(), arrays())
            numpy.testing.assert_array_equal(mine("depth"), arrays(0))
            numpy.testing.assert_array_equal(mine(axis=("depth", "lateral")), arrays((0, 1)))
            numpy.testing.assert_array_equal(mine(-1, keepdims=True), arrays(-1, keepdims=True))
            self.assertEqual(getattr(numpy, name)(self.frame), arrays())
        with self.assertRaisesRegex(echolux.EcholuxError, "no axis 'time'; it has depth, lateral"):
            self.frame.max("time")


class Pipelines(unittest.TestCase):
    def test_progress_counts_results_and_may_end_the_run(self):
        with echolux.open(CINE) as recording:
            pipeline = echolux.Pipeline("rf", recording, backend="cpu")
            seen = []
            images = pipeline.run(recording[:5], progress=lambda done, of: seen.append((done, of)))
            self.assertEqual(seen, [(n, 5) for n in range(1, 6)])

            def stop(done, _):
                if done == 2:
                    raise KeyboardInterrupt

            with self.assertRaises(KeyboardInterrupt):
                pipeline.run_all(recording, progress=stop)
            numpy.testing.assert_array_equal(pipeline.run(recording[:5]), images)

    def test_a_mistyped_stage_is_no_new_attribute(self):
        with echolux.open(CINE) as recording:
            pipeline = echolux.Pipeline("rf", recording, backend="cpu")
            for name in ("beamfrom", "beamform"):
                with self.assertRaisesRegex(AttributeError, f"no attribute '{name}'; .*beamform"):
                    setattr(pipeline, name, 2.0)
            pipeline.beamform.f_number = 2.0
            self.assertEqual(pipeline["beamform.f_number"], 2.0)


class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recording = echolux.open(CINE)
        cls.every = numpy.stack(list(cls.recording))

    def test_indices_choose_what_numpy_would(self):
        for index in numpy.s_[0, -1, 3:7, ::-8, -3:, 40:, :, ..., (2, 1), (2, 1, -1), (slice(1, 3), 0),
                              (slice(None, None, 9), slice(None), slice(0, 64, 8), -1), (..., 5), (..., slice(0, 9)),
                              (1, ..., 5), (-1, slice(None), 3), (slice(0, 2), None, 1), ()]:
            chosen = self.recording[index]
            numpy.testing.assert_array_equal(chosen, self.every[index], str(index))
            self.assertEqual(chosen.shape, self.every[index].shape, index)
            self.assertEqual(numpy.asarray(chosen).dtype, numpy.int16)
        for index in ([4, 0, -1], [], numpy.array([2, 3]), numpy.arange(32) % 5 == 0, numpy.int64(4)):
            numpy.testing.assert_array_equal(self.recording[index],
                                             self.every[numpy.asarray(index, int) if index == [] else index]
                                             if isinstance(index, list) else self.every[index])

    def test_the_recording_is_an_array_of_all_frames(self):
        numpy.testing.assert_array_equal(numpy.asarray(self.recording), self.every)
        self.assertEqual(numpy.asarray(self.recording, numpy.float32).dtype, numpy.float32)

    def test_dask_takes_it_as_an_array(self):
        # What dask.array.from_array and the tasks of such an array do: shape, dtype, ndim, an empty part, and a part by
        # a slice of each axis, read by several threads at once.
        self.assertEqual((self.recording.shape, self.recording.ndim), (self.every.shape, self.every.ndim))
        self.assertEqual(self.recording.dtype, self.every.dtype)
        empty = self.recording[(slice(0, 0),) * self.recording.ndim]
        self.assertEqual((empty.shape, empty.dtype), ((0,) * 4, self.every.dtype))
        parts = [(slice(at, at + 5), slice(0, 2), slice(32, 64), slice(0, 300)) for at in range(0, 32, 5)]
        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            for part, read in zip(parts, threads.map(lambda part: numpy.asarray(self.recording[part]), parts)):
                numpy.testing.assert_array_equal(read, self.every[part])
        if importlib.util.find_spec("dask"):
            import dask.array
            array = dask.array.from_array(self.recording, chunks=(5, 3, 64, 899))
            numpy.testing.assert_array_equal(array[3:20, 1].sum(axis=0).compute(), self.every[3:20, 1].sum(axis=0))

    def test_what_is_odd_about_a_file_is_said_once_where_it_is_opened(self):
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            self.assertEqual(echolux.open(CINE).warnings, ())
            self.assertEqual(given, [])
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "cut.echolux.h5"
                path.write_bytes(CINE.read_bytes()[:3_000_000])
                cut = echolux.open(path)
                self.assertLess(len(cut), 32)
                self.assertEqual([str(each.message) for each in given], list(cut.warnings))
                self.assertRegex(cut.warnings[0], "first 17 of 32 frames")
        self.assertTrue(all(issubclass(each.category, echolux.EcholuxWarning) for each in given))
        self.assertEqual({pathlib.Path(each.filename).name for each in given}, {"python_recording_test.py"})

    def test_a_sidecar_may_be_named_and_stays_with_copies(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "lines.npy"
            numpy.save(path, self.every[:2])
            sidecar = pathlib.Path(folder) / "described.toml"
            sidecar.write_text("""
                sound_speed = 1540
                probe.pitch = 0.3e-3
                signal = { sampling_frequency = 20e6, centre_frequency = 5e6 }
                transmit.angles_deg = [-8, 0, 8]
                data.axes = ["frame", "transmit", "channel", "sample"]
                """, encoding="utf-8")
            with self.assertRaises(echolux.EcholuxError):
                echolux.open(path)
            recording = echolux.open(path, sidecar=sidecar)
            self.assertEqual([round(each.angle_deg) for each in recording.transmits], [-8, 0, 8])
            again = pickle.loads(pickle.dumps(recording))
            numpy.testing.assert_array_equal(again[1], self.every[1])
            pipeline = pickle.loads(pickle.dumps(echolux.Pipeline("rf", recording, backend="cpu")))
            self.assertEqual(pipeline.input.shape, recording.spec.shape)

    def test_tracks_are_chosen_by_number_or_name(self):
        picture = CINE.parents[1] / "tests/dataset/vectors/pictures/dicom_regions.dcm"  # of which each region is a track
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with echolux.open(picture) as first:
                names, levels = first.tracks, first[0]
            self.assertEqual(names[1:3], ("region 2 (tissue, 0.4 mm per pixel)", "region 3 (spectrum)"))
            for track in (1, names[1]):
                with echolux.open(picture, track=track) as second:
                    self.assertEqual((second[0].shape, pickle.loads(pickle.dumps(second))[0].shape), ((10, 12), (10, 12)))
            with echolux.open(picture, track=3) as whole:
                self.assertTrue(any(numpy.array_equal(whole[0][at:at + 12, :12], levels) for at in range(5)))
            for wrong in (4, "region 9"):
                with self.assertRaisesRegex(echolux.EcholuxError, "track"):
                    echolux.open(picture, track=wrong)
        with self.assertRaisesRegex(echolux.EcholuxError, "no track 'second'; it has one alone"):
            echolux.open(CINE, track="second")

    def test_what_is_no_frame_is_refused(self):
        for beyond in (32, -33):
            with self.assertRaisesRegex(IndexError, f"no frame {beyond}; the recording has 32"):
                self.recording[beyond]
        with self.assertRaises(IndexError):
            self.recording[[0, 32]]
        for wrong in (numpy.zeros(5, bool), [[0, 1]], [0.5]):
            with self.assertRaises(IndexError):
                self.recording[wrong]
        with self.assertRaises(TypeError):
            self.recording[0.5]
        with self.assertRaises(TypeError):
            self.recording["first"]


class Geometry(unittest.TestCase):
    def test_a_linear_array(self):
        with echolux.open(CINE) as recording:
            self.assertEqual((recording.sampling_frequency_hz, recording.centre_frequency_hz), (20e6, 5e6))
            self.assertEqual((recording.sound_speed_mps, recording.rate), (1540.0, 25.0))
            self.assertEqual((recording.spec.pitch_m, recording.spec.demodulation_frequency_hz), (0.3e-3, 0.0))
            expected = numpy.zeros((64, 3))
            expected[:, 0] = (numpy.arange(64) - 31.5) * 0.3e-3
            numpy.testing.assert_allclose(recording.elements, expected, atol=1e-9)
            numpy.testing.assert_allclose([t.angle_deg for t in recording.transmits], [-8, 0, 8], atol=1e-9)
            self.assertEqual({t.wave for t in recording.transmits}, {"plane"})
            # 'start depth 3 mm': the echo of a point there arrives after 2 * 3 mm / 1540 m/s.
            self.assertAlmostEqual(recording.transmits[1].first_sample_s * 1540 / 2, 3e-3, delta=0.5e-3)
            self.assertEqual(recording.spec.channel_elements.size, 0)

    def test_a_walking_aperture_of_focused_beams(self):
        with echolux.open(TESTDATA / "sector.h5") as recording:
            first = recording.transmits[0]
            self.assertEqual((len(recording.transmits), first.wave), (65, "focused"))
            numpy.testing.assert_allclose(first.point_m, (-26.74e-3, 0, 45.11e-3), atol=5e-6)
            heard = recording.spec.channel_elements
            self.assertEqual(heard.shape, recording.spec.shape[:2])
            numpy.testing.assert_array_equal(heard[0], numpy.arange(32))
            # Elements that fire are those that hear.
            for transmit, channels in zip(recording.transmits, heard):
                numpy.testing.assert_array_equal(numpy.flatnonzero(transmit.weights), channels)
            # A curved array of radius 40 mm: all elements are at this distance from its centre.
            x, _, z = recording.elements.T
            numpy.testing.assert_allclose(numpy.hypot(x, z - z.max() + 40e-3), 40e-3, rtol=1e-4)

    def test_a_matrix_array_steers_out_of_plane(self):
        with echolux.open(TESTDATA / "volume_echoes.h5") as recording:
            angles = [(round(numpy.degrees(t.angle_rad)), round(numpy.degrees(t.elevation_rad)))
                      for t in recording.transmits]
            self.assertEqual(angles, [(a, e) for e in (-8, 0, 8) for a in (-8, 0, 8)])
            self.assertEqual(recording.spec.steering, "tilts")
            self.assertEqual(len(numpy.unique(recording.elements[:, 1].round(9))), 16)

    def test_a_spectrometer(self):
        with echolux.open(TESTDATA / "retina_cine.echolux.h5") as recording:
            spec = recording.spec
            numpy.testing.assert_allclose(
                (spec.centre_wavelength_m, spec.bandwidth_m, spec.refractive_index), (840e-9, 120e-9, 1.36))
            self.assertEqual((recording.elements.shape, recording.transmits), ((0, 3), ()))

    def test_facts_of_a_description_can_be_set_and_those_of_a_recording_not(self):
        spec = Spec("f32", [Axis("channel", 2), Axis("sample", 9, 1e-6, unit="s")], pitch_m=1e-3)
        spec.sound_speed_mps = 1480
        self.assertEqual((spec.sound_speed_mps, spec.pitch_m, spec.centre_frequency_hz), (1480.0, 1e-3, 0.0))
        with self.assertRaisesRegex(echolux.EcholuxError, "follows from the axes"):
            spec.sampling_frequency_hz = 1e6
        with echolux.open(CINE) as recording, self.assertRaisesRegex(echolux.EcholuxError, "cannot be changed"):
            recording.spec.sound_speed_mps = 1480
        with self.assertRaisesRegex(echolux.EcholuxError, "There is no fact 'colour'"):
            Spec("f32", [Axis("sample", 9)], colour=1.0)


class Poses(unittest.TestCase):
    FOLDER = pathlib.Path(__file__).parents[1] / "dataset/vectors/poses"

    def test_the_bright_voxel_lies_where_other_software_says(self):
        truth = json.loads((self.FOLDER / "truth.json").read_text())
        for name, place in truth["places"].items():
            with echolux.open(self.FOLDER / name) as recording:
                frame = numpy.asarray(recording[0])
                at = numpy.unravel_index(frame.argmax(), frame.shape)
                where = {axis.name: axis.coordinates[i] for axis, i in zip(recording.axes, at)}
                pose = recording.spec.pose
                self.assertEqual(pose.space, "scanner-xyz" if "scanner" in name else "LPS")
                numpy.testing.assert_allclose(pose.place(**where) * 1e3, place, atol=1e-5)
        with echolux.open(CINE) as recording:
            self.assertIsNone(recording.spec.pose)

    def test_saved_poses_come_back(self):
        spec = Spec("i16", [Axis("transmit", 1), Axis("channel", 2), Axis("sample", 9, 1 / 40e6, unit="s")],
                    elements=[[0, 0, 0], [1e-3, 0, 0]], centre_frequency_hz=10e6, sound_speed_mps=1490, pitch_m=1e-3)
        spec.add_transmit("plane")
        self.assertIsNone(spec.pose)
        spec.pose = echolux.Pose([[0, 0, 1, 0.1], [1, 0, 0, 0.2], [0, 1, 0, 0.3], [0, 0, 0, 1]], "room")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "posed.echolux.h5"
            echolux.save(path, numpy.ones((1, 1, 2, 9), numpy.int16), spec)
            with echolux.open(path) as recording:
                self.assertEqual(recording.spec.pose, spec.pose)
        with self.assertRaisesRegex(echolux.EcholuxError, "must be 1"):
            spec.pose = echolux.Pose(numpy.diag([2.0, 1, 1, 1]))


class Files(unittest.TestCase):
    def test_saved_frames_and_their_geometry_come_back(self):
        spec = Spec("i16", [Axis("transmit", 2), Axis("channel", 4), Axis("sample", 50, 1 / 40e6, unit="s")],
                    elements=[[e * 1e-3, 0, 0] for e in range(4)], centre_frequency_hz=10e6, sound_speed_mps=1490,
                    pitch_m=1e-3)
        spec.add_transmit("diverging", point_m=(1e-3, 0, -5e-3), first_sample_s=1e-6)
        spec.add_transmit("plane", angle_rad=0.2, elevation_rad=-0.1)
        frames = numpy.random.default_rng(3).integers(-999, 999, (5, 2, 4, 50), numpy.int16)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mine.echolux.h5"
            echolux.save(path, frames, spec, rate=12.5)
            with echolux.open(path) as recording:
                numpy.testing.assert_array_equal(recording[...], frames)
                self.assertEqual(recording.transmits, spec.transmits)
                self.assertEqual(recording.rate, 12.5)
                numpy.testing.assert_array_equal(recording.elements, spec.elements)
                self.assertEqual(recording.axes, spec.axes)
            with self.assertRaisesRegex(echolux.EcholuxError, "exists"):
                echolux.save(path, frames, spec)
            echolux.save(path, frames[0], spec, force=True)
            with echolux.open(path) as recording:
                self.assertEqual(len(recording), 1)
            for wrong in (frames.astype(float), frames[:, 0], frames[0, 0]):
                with self.assertRaisesRegex(echolux.EcholuxError, "but spec describes"):
                    echolux.save(path, wrong, spec, force=True)


if __name__ == "__main__":
    unittest.main()
