#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same figures by the package ultrasound-metrics 0.1.0 (PyPI) on the image of make_vectors.py, written to
metrics.txt. Its contrast and CNR are of powers |s|^2 and ours of amplitudes A, so it gets s = sqrt(A). Its temporal SNR is
per pixel; the powers are summed here."""

import pathlib
import sys

import numpy as np
from ultrasound_metrics.metrics.cnr import compute_cnr
from ultrasound_metrics.metrics.contrast import contrast
from ultrasound_metrics.metrics.gcnr import gcnr

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

ROWS, COLUMNS = 64, 64
x = (np.arange(COLUMNS) - 32) * 0.1
z = 10.0 + np.arange(ROWS) * 0.05
level = vectors.read(HERE / "figures.txt")["image"].reshape(ROWS, COLUMNS)
inside = np.hypot(x[None], z[:, None] - 12.2) <= 0.75
block = np.ix_((z >= 10.099) & (z <= 11.001), (x >= -2.501) & (x <= 2.501))
a, b = level[inside], level[block].ravel()
root = [np.sqrt(10 ** (values / 20)) for values in (a, b)]
vectors.write(HERE / "metrics.txt", "make_metrics.py", {
    "gcnr": [gcnr(a, b, bins=256)],
    "cnr": [abs(compute_cnr(*root))],
    "contrast": [2 * contrast(*root, db=True)],
})
