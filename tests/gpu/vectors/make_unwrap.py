# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes unwrap.txt: a noisy parabolic profile that wrapped up to twice, and what scikit-image makes of it. Its
unwrap_phase follows paths of reliable pixels (Herraez et al., Applied Optics 41, 2002), a method of another kind. It
leaves a whole number of periods open; the one with the least difference from the true velocities is taken.
Usage: python tests/gpu/vectors/make_unwrap.py (needs numpy and scikit-image)"""
import sys
from pathlib import Path

import numpy as np
from skimage.restoration import unwrap_phase

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

PERIOD = 20.0  # cm/s: velocities wrap at -10 and 10
rng = np.random.default_rng(3)
depth, lateral = np.mgrid[0:60, 0:48]
across = (depth - 30.0 - 6.0 * np.sin(lateral / 12.0)) / 21.0  # the tube bends
true = 36.0 * (1.0 - across**2)  # 1.8 periods on the axis
flows = (np.abs(across) < 0.96) & (rng.random(true.shape) > 0.03)  # with holes
noisy = true + 0.8 * rng.standard_normal(true.shape)
measured = np.where(flows, noisy - PERIOD * np.rint(noisy / PERIOD), 0.0)

phase = np.ma.array(2.0 * np.pi * measured / PERIOD, mask=~flows)
found = np.asarray(unwrap_phase(phase, rng=1)) * PERIOD / (2.0 * np.pi)
found -= PERIOD * np.rint(np.median((found - true)[flows]) / PERIOD)

write(HERE / "unwrap.txt", "make_unwrap.py", {
    "measured": measured,
    "unwrapped": np.where(flows, found, 0.0),
})
