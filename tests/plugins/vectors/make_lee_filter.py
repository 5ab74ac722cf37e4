#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes lee_filter.txt: the Lee filter of speckle images by NumPy, pixel by pixel, in double precision.

Each case has three lines: rows, columns, window, speckle contrast; the image; the filtered image."""
import os

import numpy as np


def lee(image, window, contrast):
    reach, (rows, columns) = window // 2, image.shape
    out = np.empty_like(image)
    for r in range(rows):
        for c in range(columns):
            part = image[max(r - reach, 0):r + reach + 1, max(c - reach, 0):c + reach + 1]
            mean, variance = part.mean(), part.var()
            of_image = max(variance - contrast**2 * mean**2, 0.0)
            out[r, c] = mean + of_image / ((1 + contrast**2) * variance) * (image[r, c] - mean)
    return out


random = np.random.default_rng(7)
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "lee_filter.txt"), "w") as file:
    for rows, columns, window, contrast in [(6, 5, 3, 0.523), (9, 11, 5, 0.523), (4, 13, 7, 0.2)]:
        image = random.rayleigh(1.0, (rows, columns)).astype(np.float32).astype(float)
        image[rows // 2, columns // 2] *= 8.0  # a strong echo, which the filter keeps
        print(rows, columns, window, contrast, file=file)
        for values in (image, lee(image, window, contrast)):
            print(*(f"{value:.9g}" for value in values.ravel()), file=file)
