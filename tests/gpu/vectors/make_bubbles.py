# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes bubbles.txt: Gaussian spots between pixels, and where scipy and numpy find them. The methods follow the papers'
own formulas, which the stage `localise` has in other forms. Usage: python tests/gpu/vectors/make_bubbles.py (needs
numpy, scipy)"""
import sys
from pathlib import Path

import numpy as np
import scipy.ndimage
import scipy.signal

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

DEPTHS, LATERALS = 60, 40
rng = np.random.default_rng(11)


def spots(places, heights, sigma_z, sigma_x):
    z, x = np.mgrid[:DEPTHS, :LATERALS]
    image = np.zeros((DEPTHS, LATERALS))
    for (pz, px), height in zip(places, heights):
        image += height * np.exp(-0.5 * (((z - pz) / sigma_z) ** 2 + ((x - px) / sigma_x) ** 2))
    return image


def brightest(image, rz, rx, threshold_db):
    """Strict maxima above the threshold as (z, x), brightest first. The images here have no two equal pixels."""
    around = scipy.ndimage.maximum_filter(image, size=(2 * rz + 1, 2 * rx + 1), mode="constant")
    found = np.argwhere((image == around) & (image >= image.max() * 10 ** (-threshold_db / 20)))
    return found[np.argsort(-image[tuple(found.T)])]


def window_at(image, z, x, rz, rx):
    z0, x0 = max(0, z - rz), max(0, x - rx)
    return image[z0:z + rz + 1, x0:x + rx + 1], z0, x0


def weighted_average(window, *_):
    weight = window ** 2 - window.min() ** 2
    z, x = np.mgrid[:window.shape[0], :window.shape[1]]
    return (weight * z).sum() / weight.sum(), (weight * x).sum() / weight.sum()


def radial_symmetry(window, rz, rx):
    """Parthasarathy's formulas, with slopes and intercepts of lines, in units of the radii (x to the right, y down)."""
    du = window[:-1, 1:] - window[1:, :-1]  # towards the upper right
    dv = window[:-1, :-1] - window[1:, 1:]  # towards the upper left
    box = np.ones((3, 3)) / 9
    du = scipy.signal.convolve2d(du, box, mode="same")
    dv = scipy.signal.convolve2d(dv, box, mode="same")
    gx, gy = rx * (du - dv), -rz * (du + dv)
    y, x = np.mgrid[:gx.shape[0], :gx.shape[1]]
    x, y = (x + 0.5) / rx, (y + 0.5) / rz
    square = gx ** 2 + gy ** 2
    middle_x, middle_y = (square * x).sum() / square.sum(), (square * y).sum() / square.sum()
    weight = square / np.maximum(0.01, np.hypot(x - middle_x, y - middle_y))
    slope = gy / gx
    intercept = y - slope * x
    w = weight / (slope ** 2 + 1)
    sw, smmw, smw = w.sum(), (slope ** 2 * w).sum(), (slope * w).sum()
    smbw, sbw = (slope * intercept * w).sum(), (intercept * w).sum()
    determinant = smw ** 2 - smmw * sw
    found_x = (smbw * sw - smw * sbw) / determinant
    found_y = (smbw * smw - smmw * sbw) / determinant
    return found_y * rz, found_x * rx


def gaussian(window, *_):
    z, x = (axis.ravel() for axis in np.mgrid[:window.shape[0], :window.shape[1]])
    value = window.ravel()
    middle_z, middle_x = np.unravel_index(window.argmax(), window.shape)
    used = (value > 0.2 * value.max()) | (np.maximum(np.abs(z - middle_z), np.abs(x - middle_x)) <= 1)
    z, x, value = z[used], x[used], value[used]
    terms = np.stack([np.ones_like(value), z, x, z ** 2, x ** 2], axis=1)
    c = np.linalg.lstsq(value[:, None] * terms, value * np.log(value), rcond=None)[0]
    return (-0.5 * c[1] / c[3], -0.5 * c[2] / c[4]) if c[3] < 0 and c[4] < 0 else (np.nan, np.nan)


METHODS = {"weighted_average": weighted_average, "radial_symmetry": radial_symmetry, "gaussian": gaussian}


def localised(image, method, rz, rx, threshold_db):
    """Rows of depth, lateral position (pixels), amplitude, geometric mean of the standard deviations (pixels)."""
    rows = []
    for z, x in brightest(image, rz, rx, threshold_db):
        window, z0, x0 = window_at(image, z, x, rz, rx)
        pz, px = METHODS[method](window, rz, rx)
        if not (-0.5 <= pz <= window.shape[0] - 0.5 and -0.5 <= px <= window.shape[1] - 0.5):
            pz, px = z - z0, x - x0  # no place within the window
        weight = window ** 2 - window.min() ** 2
        iz, ix = np.mgrid[:window.shape[0], :window.shape[1]]
        squares = [2 * (weight * (i - p) ** 2).sum() / weight.sum() for i, p in ((iz, pz), (ix, px))]
        rows.append((z0 + pz, x0 + px, image[z, x], (squares[0] * squares[1]) ** 0.25))
    return np.array(rows)


def errors(rows, places):
    """Of each true place from the nearest one that was found, in the worse direction."""
    found = np.abs(np.array(places)[:, None] - rows[None, :, :2]).max(axis=2).min(axis=1)
    return f"mean {found.mean():.4f}, worst {found.max():.4f}"


# A lattice of spots that lie anywhere in their pixels, each with its own height.
lattice = [(9 + 14 * i + rng.uniform(-0.5, 0.5), 7 + 8.5 * k + rng.uniform(-0.5, 0.5))
           for i in range(4) for k in range(4)]
heights = rng.permutation(np.linspace(0.5, 1.0, len(lattice)))
vectors = {"places": lattice, "heights": heights}
CASES = {"round": (1.0, 1.0, 3, 3), "tall": (2.0, 1.0, 6, 3)}
for name, (sigma_z, sigma_x, rz, rx) in CASES.items():
    clean = spots(lattice, heights, sigma_z, sigma_x).astype(np.float32).astype(np.float64)
    noise = 0.02 * (rng.normal(size=clean.shape) + 1j * rng.normal(size=clean.shape))
    noisy = np.abs(clean + noise).astype(np.float32).astype(np.float64)
    vectors[name] = clean
    vectors[name + "_noisy"] = noisy
    for method in METHODS:
        found = localised(clean, method, rz, rx, 12.0)
        assert len(found) == len(lattice)
        print(f"{name} {method}, errors in pixels: without noise {errors(found, lattice)};"
              f" with noise {errors(localised(noisy, method, rz, rx, 12.0), lattice)}")
        vectors[f"{name}_noisy_{method}"] = localised(noisy, method, rz, rx, 30.0)

write(HERE / "bubbles.txt", "make_bubbles.py", vectors)
