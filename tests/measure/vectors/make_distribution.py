#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Histograms of the rectangle in figures.txt by numpy.histogram, with the Rayleigh and the exponential distribution of
scipy.stats over the same bins, written to distribution.txt beside it."""

import pathlib
import sys

import numpy as np
from scipy.stats import expon, rayleigh

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

x = (np.arange(64) - 32) * 0.1
z = 10.0 + np.arange(64) * 0.05
image = vectors.read(HERE / "figures.txt")["image"].reshape(64, 64)
a = 10 ** (image[np.ix_((z >= 10.099) & (z <= 11.001), (x >= -2.501) & (x <= 2.501))].ravel() / 20)
bins = min(max(round(np.sqrt(a.size)), 10), 60)
kinds = {"amplitudes": (a / np.sqrt(np.mean(a**2)), 3.0, rayleigh(scale=np.sqrt(0.5))),
         "powers": (a**2 / np.mean(a**2), 9.0, expon())}
out = {}
for name, (values, most, law) in kinds.items():
    counts, edges = np.histogram(values, bins=bins, range=(0, most))
    out[name] = counts / a.size / np.diff(edges)
    out[name + "_speckle"] = np.diff(law.cdf(edges)) / np.diff(edges)
    out[name + "_beyond"] = [np.mean(values > most)]
vectors.write(HERE / "distribution.txt", "make_distribution.py", out)
