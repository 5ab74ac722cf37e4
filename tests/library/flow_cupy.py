#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tissue removed from ensembles of images, velocity and amplitude of the rest, by CuPy: what `echolux bench flow` times.

The singular vectors come from the Gram matrix of the frames (cuBLAS) and its eigenvectors (cuSOLVER), which is the
fastest of CuPy's ways. A small problem is compared with NumPy's singular value decomposition first; then the medians
are printed. Exit status: 0 right, 1 wrong, 77 skipped, because CuPy or a CUDA device is missing."""
import sys

import numpy

RUNS = 30
PROBLEMS = [("V1", 512, 128 * 64, 16), ("V2", 200, 250 * 251, 16), ("V3", 32, 540 * 253, 4), ("V4", 16, 540 * 253, 0)]


def moving(xp, images, removed):
    """`images` [frame][pixel] without the `removed` strongest singular parts, or without a line over time for 0."""
    frames = images.shape[0]
    if removed > 0:
        _, vectors = xp.linalg.eigh(images @ images.conj().T)  # from the weakest to the strongest
        tissue = vectors[:, frames - removed:]
    else:
        times = xp.arange(frames, dtype=images.real.dtype)
        tissue = xp.linalg.qr(xp.stack([xp.ones_like(times), times], axis=1))[0].astype(images.dtype)
    return images - tissue @ (tissue.conj().T @ images)


def estimates(xp, images):
    """Mean turn of phase from frame to frame, and RMS amplitude, of each pixel."""
    lag = (images[:-1].conj() * images[1:]).sum(axis=0)
    return xp.angle(lag), xp.sqrt((images.real ** 2 + images.imag ** 2).mean(axis=0))


def tissue_and_noise(frames, pixels):
    random = numpy.random.default_rng(3)
    images = random.normal(size=(frames, pixels)) + 1j * random.normal(size=(frames, pixels))
    for part in range(4):
        phase = numpy.exp(2j * numpy.pi * (part + 1) * numpy.arange(frames) ** 2 / (8 * frames))
        images += 1000 * 0.25 ** part * phase[:, None] * random.normal(size=pixels)
    return images.astype(numpy.complex64)


def is_right(cupy):
    images = tissue_and_noise(24, 600)
    left, values, right = numpy.linalg.svd(images.astype(numpy.complex128), full_matrices=False)
    values[:4] = 0
    expected = estimates(numpy, left * values @ right)
    got = estimates(cupy, moving(cupy, cupy.asarray(images), 4))
    turns = numpy.exp(1j * cupy.asnumpy(got[0])) - numpy.exp(1j * expected[0])
    # Single precision leaves little of signals 60 dB below tissue where a pixel's phase is near no value.
    return numpy.median(abs(turns)) < 1e-2 and abs(cupy.asnumpy(got[1]) / expected[1] - 1).max() < 1e-2


def median_ms(cupy, images, removed):
    times = []
    for _ in range(RUNS + 5):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        estimates(cupy, moving(cupy, images, removed))
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(start, end))
    return float(numpy.median(times[5:]))


def main():
    try:
        import cupy
    except ImportError as error:
        print(f"skipped: CuPy is not there ({error}); for CUDA 13, pip install cupy-cuda13x.")
        return 77
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        print(f"skipped: there is no CUDA device ({error}).")
        return 77
    if not is_right(cupy):
        print("wrong: CuPy and NumPy differ")
        return 1
    for name, frames, pixels, removed in PROBLEMS:
        images = cupy.asarray(tissue_and_noise(frames, pixels))
        print(f"{name}: {median_ms(cupy, images, removed):.3f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
