#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The modified Bessel function of order 0 by SciPy, written to bessel.txt beside it."""

import pathlib

import numpy as np
from scipy import special

HERE = pathlib.Path(__file__).resolve().parent
arguments = np.concatenate([[0.0, 1e-9, 1e-3], np.linspace(0.1, 60.0, 200), [100.0, 350.5, 700.0], [-7.25]])
with open(HERE / "bessel.txt", "w", encoding="utf-8") as file:
    file.write("# Made by make_bessel_vectors.py: x and I0(x), a pair per line.\n")
    for x in arguments:
        file.write(f"{x:.17g} {special.i0(x):.17g}\n")
