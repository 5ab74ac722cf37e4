# SPDX-License-Identifier: GPL-3.0-or-later
"""Envelopes of summed analytic signals by NumPy and SciPy alone, for analytic_golden_test.cpp.

Mean removal, 63-tap Hamming band-pass run forward and backward (0.5 to 1.5 times the centre frequency as it appears in
the samples), scipy.signal.hilbert of each record, delay and sum in double precision (rectangular window), magnitude.
`*_linear`: baseband samples interpolated linearly, as the program does by default. `*_ideal`: the samples upsampled 16
times first, which is nearly band-limited interpolation. Input: the bundled cine, and recordings that are not the project's own
(fewer pixels). Run it from the project's root: python3 tests/commands/vectors/make_analytic_golden.py SHARED_DATA
"""

import pathlib
import sys

import h5py
import numpy as np
from scipy.io import loadmat
from scipy.signal import firwin, hilbert, resample

sys.path.insert(0, "tests/support")
import vectors

UP = 16
TAIL = 256  # zeros before and behind each record


class Recording:
    """lines [transmit][channel][sample], sources: plane wave angles (rad) or positions of firing elements (m)."""

    def __init__(self, lines, rate, centre, speed, elements, first, angles=None, places=None):
        self.rate, self.centre, self.speed = rate, centre, speed
        self.elements, self.first, self.angles, self.places = elements, first, angles, places
        lines = lines - lines.mean(axis=-1, keepdims=True)
        seen = abs(centre - rate * round(centre / rate))
        high = min(1.5 * seen, 0.95 * rate / 2 + 0.05 * seen)
        taps = firwin(63, [0.5 * seen, high], pass_zero=False, window="hamming", fs=rate)
        both = np.convolve(taps, taps[::-1])
        middle = len(both) // 2
        self.samples = lines.shape[-1]
        padded = np.pad(lines, ((0, 0), (0, 0), (TAIL, TAIL)))
        filtered = np.apply_along_axis(
            lambda x: np.convolve(x, both)[middle : middle + len(x)], -1, padded)
        analytic = hilbert(filtered, axis=-1)
        if centre / rate - round(centre / rate) < 0:  # band-pass sampled, mirrored
            analytic = analytic.conj()
        n = np.arange(-TAIL, self.samples + TAIL)
        self.base = analytic * np.exp(-2j * np.pi * centre / rate * n)

    def envelope(self, x, z, f_number, up=1):
        z, x = (a.astype(np.float32).astype(float) for a in np.meshgrid(z, x, indexing="ij"))
        image = np.zeros(z.shape, complex)
        for t in range(self.base.shape[0]):
            lines = resample(self.base[t], self.base.shape[-1] * up, axis=-1) if up > 1 else self.base[t]
            if self.angles is not None:
                transmit = z * np.cos(self.angles[t]) + x * np.sin(self.angles[t])
            else:
                transmit = np.hypot(x - self.places[t], z)
            for e, place in enumerate(self.elements):
                at = ((transmit + np.hypot(x - place, z)) / self.speed - self.first[t]) * self.rate
                flat = (at * up).ravel()
                # Outside the record the signal is 0; nothing is interpolated beyond its last sample.
                ends = np.arange(-1, self.samples * up + 1)
                values = np.concatenate([[0], lines[e, TAIL * up : (TAIL + self.samples) * up], [0]])
                value = np.interp(flat, ends, values, left=0, right=0).reshape(at.shape)
                value *= np.exp(2j * np.pi * self.centre / self.rate * at)
                if f_number > 0:
                    value = np.where(np.abs(x - place) <= z / (2 * f_number), value, 0.0)
                image += value
        return np.abs(image)


def bundled():
    with h5py.File("testdata/phantom_cine.echolux.h5", "r") as file:
        return Recording(
            file["frames"][0].astype(float),
            1.0 / file["frames"].attrs["axis_spacing"][2],
            float(file["frames"].attrs["centre_frequency_hz"]),
            1540.0,
            file["probe/element_position_m"][:, 0],
            file["transmits/first_sample_s"][:],
            angles=file["transmits/angle_rad"][:],
        )


def centred(count, pitch):
    return (np.arange(count) - (count - 1) / 2) * pitch


def gammex(folder):
    data = loadmat(folder / "gammex_plane_waves.mat")
    angles = np.deg2rad(np.arange(-1.5, 1.51, 0.5))
    lines = data["RF1"].astype(float).transpose(2, 1, 0)
    first = -63.5 * 0.298e-3 * np.abs(np.sin(angles)) / 1540.0
    return Recording(lines, 20e6, 5e6, 1540.0, centred(128, 0.298e-3), first, angles=angles)


def field2(folder):
    with h5py.File(folder / "field2_three_angles.hdf5", "r") as file:
        frame = file["data/rf_data/frame_1"]
        lines = np.stack([frame[f"shot_{i}"][:] for i in (1, 2, 3)]).astype(float)
    return Recording(lines, 20e6, 5.2083e6, 1540.0, centred(192, 0.23e-3), [-3.6625e-6] * 3,
                     angles=np.deg2rad([-12.0, 0.0, 12.0]))


def notch(folder):
    data = loadmat(folder / "contact_notch_aluminium.mat", squeeze_me=True, struct_as_record=False)["exp_data"]
    places = np.asarray(data.array.el_xc, float)
    lines = np.zeros((64, 64, 750))
    for column, (tx, rx) in enumerate(zip(data.tx, data.rx)):
        lines[tx - 1, rx - 1] = lines[rx - 1, tx - 1] = data.time_data[:, column]
    return Recording(lines, 25e6, 5e6, 6300.0, places, np.full(64, data.time[0]), places=places)


def disk(folder):
    lines = loadmat(folder / "rotating_disk.mat")["RF"][:, :, 0].T[None].astype(float)
    return Recording(lines, 20e6 / 3, 5e6, 1480.0, centred(128, 0.298e-3), [9.95e-6], angles=[0.0])


def spans(x0, x1, nx, z0, z1, nz):
    return np.linspace(x0, x1, nx) * 1e-3, np.linspace(z0, z1, nz) * 1e-3


out = {}


def add(name, recording, grid, f_number):
    for kind, up in (("linear", 1), ("ideal", UP)):
        out[f"{name}_{kind}"] = recording.envelope(*spans(*grid), f_number, up)


cine = bundled()
add("cine_coarse", cine, (-8, 8, 23, 4, 34, 101), 1.4)  # rows of 300 um, nearly a wavelength
add("cine_live", cine, (-4, 4, 9, 8, 24, 209), 1.4)  # 77 um
add("cine_fine", cine, (-7.21, -6.81, 5, 11.003, 13.003, 201), 1.4)  # 10 um, no element on an aperture's very edge
shared = pathlib.Path(sys.argv[1])
add("gammex", gammex(shared), (-15, 15, 21, 10, 90, 41), 1.4)
add("field2", field2(shared), (-12, 12, 17, 8, 60, 53), 1.4)
add("notch", notch(shared), (-9, 9, 19, 10, 45, 36), 0.0)
add("disk", disk(shared), (-11, 11, 23, 12, 38, 27), 1.0)
vectors.write("tests/commands/vectors/analytic_golden.txt", "make_analytic_golden.py", out)
