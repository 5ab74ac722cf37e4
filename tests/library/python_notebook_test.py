#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the notebook of the examples on a zea file that the program ECHOLUX_PROGRAM makes."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy

from python_here import CINE, ROOT

import echolux

os.environ["MPLBACKEND"] = "Agg"
try:
    import matplotlib.pyplot
except ImportError:
    matplotlib = None


def run(notebook):
    """Executes the code cells in their order; the names that they leave."""
    names = {}
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{notebook.name}, cell {cell['id']}", "exec"), names)
    return names


@unittest.skipIf(matplotlib is None, "matplotlib is not installed")
class Notebook(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        subprocess.run([os.environ["ECHOLUX_PROGRAM"], "export", CINE, "--output-of", "recording", "-o", "recording.hdf5"],
                       check=True, stdout=subprocess.DEVNULL)

    def test_a_zea_file_becomes_a_figure(self):
        names = run(ROOT / "resources/examples/zea_to_figure.ipynb")
        self.addCleanup(matplotlib.pyplot.close, "all")
        self.assertEqual(names["recording"].format, "zea HDF5")
        picture = matplotlib.pyplot.imread("figure.png")
        self.assertEqual(picture.shape[:2], (1200, 900))
        # The figure is gray: 256 shades between black and white, and a label at each axis.
        self.assertGreater(len(numpy.unique(picture[..., 0].round(2))), 50)
        axes = names["axes"]
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("lateral (mm)", "depth (mm)"))
        # The wire at (-7, 18) mm is where the figure's axes say.
        image = names["image"].data
        left, right, bottom, top = names["shown"].get_extent()
        rows, columns = image.shape
        depth = top + (numpy.arange(rows) + 0.5) * (bottom - top) / rows
        lateral = left + (numpy.arange(columns) + 0.5) * (right - left) / columns
        near = numpy.ix_(numpy.abs(depth - 18) < 1, numpy.abs(lateral + 7) < 1)
        row, column = numpy.unravel_index(image[near].argmax(), image[near].shape)
        self.assertLess(abs(depth[numpy.abs(depth - 18) < 1][row] - 18), 0.15)
        self.assertLess(abs(lateral[numpy.abs(lateral + 7) < 1][column] + 7), 0.15)
        # And the zea file gives the image of the recording that it was made of.
        with echolux.open(CINE) as original:
            expected = echolux.Pipeline(None, original).run(original[0]).data
        self.assertLess(numpy.abs(numpy.maximum(image, -60) - numpy.maximum(expected, -60)).max(), 0.5)


if __name__ == "__main__":
    unittest.main()
