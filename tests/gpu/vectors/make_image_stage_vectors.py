#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference vectors of the image stages by NumPy and SciPy, written to image_stages.txt beside it."""

import pathlib
import sys

import numpy as np
from scipy import ndimage, signal

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(20)
DEPTHS, LATERALS = 13, 11  # prime, and only a little larger than the widest window
out = {}

image = random.rayleigh(size=(DEPTHS, LATERALS)).astype(np.float32)
out["image"] = image

for window in (3, 5, 7, 9):
    out[f"median_{window}"] = ndimage.median_filter(image, size=window, mode="nearest")
narrow = image[:, :2]
out["median_narrow"] = ndimage.median_filter(narrow, size=5, mode="nearest")

points = np.array([-40.0, 3.0, 0.0, -7.5, 12.0, 12.5, 40.0, -1.0])
out["tgc_points"] = points
gain_db = np.interp(np.linspace(0.0, 7.0, DEPTHS), np.arange(8), points) + 6.0
out["tgc_plus_6"] = image * 10.0 ** (gain_db / 20.0)[:, None]

amount = 0.7
frames = random.normal(size=(6, 5)).astype(np.float32)
averaged, _ = signal.lfilter([1.0 - amount], [1.0, -amount], frames, axis=0,
                             zi=amount * frames[:1].astype(float))
out["persistence_frames"] = frames
out["persistence_0.7"] = averaged

wide = image * 10.0 ** random.uniform(-4.0, 0.0, size=image.shape)
out["log_input"] = wide.astype(np.float32)
level = 20.0 * np.log10(np.float64(out["log_input"]) / out["log_input"].max())
out["log_50"] = np.clip(level, -50.0, 0.0)
shifted = 20.0 * np.log10(np.float64(out["log_input"]) / 0.25) + 3.0
out["log_fixed"] = np.where(shifted < -30.0, -70.0, np.clip(shifted, -70.0, 0.0))

vectors.write(HERE / "image_stages.txt", pathlib.Path(__file__).name, out)
