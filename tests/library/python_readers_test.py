#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings as other packages read them: xarray's engine and napari's reader."""
import pathlib
import tempfile
import unittest
from unittest import mock

import numpy

from python_here import CINE, ROOT, TESTDATA

import echolux
from echolux import napari_reader

try:
    import xarray
except ImportError:
    xarray = None


@unittest.skipIf(xarray is None, "xarray is not installed")
class Xarray(unittest.TestCase):
    def open(self, path, **options):
        from echolux.xarray_backend import EcholuxBackend
        return xarray.open_dataset(path, engine=EcholuxBackend, **options)

    def test_frames_have_coordinates_and_are_read_when_asked_for(self):
        reads = []
        read = echolux.Recording._read
        with mock.patch.object(echolux.Recording, "_read", lambda self, at, out=None: reads.append(int(at)) or read(self, at, out)):
            dataset = self.open(CINE)
            self.assertEqual(dict(dataset.frames.sizes), {"frame": 32, "transmit": 3, "channel": 64, "sample": 899})
            self.assertEqual(reads, [])
            chosen = dataset.frames.isel(frame=slice(4, 6), transmit=1).values
            self.assertEqual(reads, [4, 5])
        with dataset, echolux.open(CINE) as recording:
            numpy.testing.assert_array_equal(chosen, recording[4:6, 1])
            numpy.testing.assert_array_equal(dataset.sample.values, recording.axes[-1].coordinates)
            self.assertEqual(dataset.sample.attrs["units"], "s")
            numpy.testing.assert_allclose(dataset.time.values, numpy.arange(32) / recording.rate)
            numpy.testing.assert_array_equal(dataset.elements.values, recording.elements)
            self.assertEqual(dataset.attrs["sound_speed_mps"], 1540.0)
            late = dataset.frames.sel(frame=7).sum().item()
            self.assertEqual(late, recording[7].sum())

    def test_spectra_have_no_elements(self):
        path = TESTDATA / "retina_cine.echolux.h5"  # of 12 bits, packed
        with self.open(path, drop_variables="time") as dataset, echolux.open(path) as recording:
            self.assertEqual(set(dataset.variables), {"frames", "lateral", "sample"})
            self.assertEqual(dataset.frames.dims, ("frame", "byte"))
            numpy.testing.assert_array_equal(dataset.frames.values[1], recording[1])

    def test_bad_files_say_why(self):
        with tempfile.NamedTemporaryFile(suffix=".echolux.h5") as file, self.assertRaisesRegex(echolux.EcholuxError, "empty"):
            self.open(file.name)

    def test_only_own_files_are_claimed(self):
        from echolux.xarray_backend import EcholuxBackend
        claims = EcholuxBackend().guess_can_open
        self.assertTrue(claims(CINE))
        self.assertFalse(claims("a.nc") or claims("a.h5") or claims(object()))


class Napari(unittest.TestCase):
    def test_each_view_is_a_layer_of_images(self):
        (images, options, kind), = napari_reader.get_reader(str(CINE))(str(CINE))
        with echolux.open(CINE) as recording:
            pipeline = echolux.Pipeline(None, recording)
            image = pipeline.run(recording[5])
        self.assertEqual((images.shape, images.dtype, images.ndim, kind), ((32, *image.shape), image.dtype, 3, "image"))
        pipeline.restart()
        numpy.testing.assert_array_equal(images[5], pipeline.run(echolux.open(CINE)[5]))
        self.assertEqual(numpy.asarray(images[2:4, 10:12]).shape, (2, 2, image.shape[1]))
        numpy.testing.assert_array_equal(images[-1, 3], images[31][3])
        depth, lateral = image.axes
        numpy.testing.assert_allclose(options["scale"], (1, 1e3 * depth.spacing, 1e3 * lateral.spacing))
        self.assertEqual((options["name"], options["contrast_limits"]), ("phantom_cine.echolux.h5: image", (-60.0, 0.0)))
        with self.assertRaises(IndexError):
            images[32]

    def test_volumes_are_read_too(self):
        (images, _, _), *_ = napari_reader.get_reader([str(TESTDATA / "retina_volume.echolux.h5")])([str(TESTDATA / "retina_volume.echolux.h5")])
        self.assertEqual(images.ndim, len(images.shape))
        self.assertTrue(numpy.isfinite(images[0]).any())

    def test_what_is_no_recording_is_left_to_others(self):
        self.assertIsNone(napari_reader.get_reader(str(ROOT / "README.md")))
        self.assertIsNone(napari_reader.get_reader("/no/such/file.h5"))

    def test_the_manifest_names_what_is_there(self):
        text = pathlib.Path(napari_reader.__file__).with_name("napari.yaml").read_text()
        self.assertIn("python_name: echolux.napari_reader:get_reader", text)


if __name__ == "__main__":
    unittest.main()
