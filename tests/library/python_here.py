# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the package of this source tree, for the tests of it. ECHOLUX_LIBRARY names the library."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[2]
TESTDATA = ROOT / "testdata"
CINE = TESTDATA / "phantom_cine.echolux.h5"
os.chdir(ROOT)  # the examples open testdata
sys.path.insert(0, str(ROOT / "app/library/python"))
