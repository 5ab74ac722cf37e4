#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The short course's first kernel, launched by CuPy as on its slides: linear interpolation of 2^15 points.

Compares the result with NumPy and prints the median time. `echolux bench documents s0` measures the same kernel
without Python. Exit status: 0 right, 1 wrong, 77 skipped, because CuPy or a CUDA device is missing."""
import math
import sys

import numpy

POINTS = 1 << 15
BLOCK = 256
RUNS = 10
PUBLISHED_US = 18.467

# The slides' kernel. It stores the value where theirs returns it, and points before the record are 0.
KERNEL = r"""
extern "C" __global__
void interpolate1d(float* out, const float* in, const float* points, size_t np, size_t ns) {
    size_t x = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (x >= np) return;
    float sample = points[x];
    float weight = modff(sample, &sample);
    long long n = (long long)sample;
    bool inside = points[x] >= 0.0f && n + 1 < (long long)ns;
    out[x] = inside ? in[n] * (1.0f - weight) + in[n + 1] * weight : 0.0f;
}
"""


def problem():
    """Samples, and points in samples; the last points lie beyond the record, the first one before it."""
    samples = numpy.random.default_rng(1).uniform(-1, 1, POINTS).astype(numpy.float32)
    points = (1.02 * numpy.arange(POINTS) - 0.75).astype(numpy.float32)
    return samples, points


def expected(samples, points):
    """The same by NumPy in double precision: 0 before the first sample, and from the last one on."""
    inside = (points >= 0) & (points < len(samples) - 1)
    return numpy.where(inside, numpy.interp(points.astype(float), numpy.arange(len(samples)), samples), 0.0)


def launch(cupy, samples, points):
    """The result, and the median time of a launch in us."""
    kernel = cupy.RawKernel(KERNEL, "interpolate1d")
    grid = (math.ceil(len(points) / BLOCK),)
    out = cupy.full(len(points), cupy.nan, dtype=cupy.float32)
    args = (out, cupy.asarray(samples), cupy.asarray(points), len(points), len(samples))
    kernel(grid, (BLOCK,), args)  # compiles
    times = []
    for _ in range(RUNS):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        kernel(grid, (BLOCK,), args)
        end.record()
        end.synchronize()
        times.append(1e3 * cupy.cuda.get_elapsed_time(start, end))
    return cupy.asnumpy(out), float(numpy.median(times))


def skip(reason):
    print(f"skipped: {reason}")
    return 77


def main():
    try:
        import cupy
    except ImportError as error:
        return skip(f"CuPy is not there ({error}); for CUDA 13, pip install cupy-cuda13x.")
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return skip(f"there is no CUDA device ({error}).")
    samples, points = problem()
    got, microseconds = launch(cupy, samples, points)
    # Both read at the same points; only products and sums are rounded differently.
    worst = float(numpy.max(numpy.abs(got - expected(samples, points)), initial=0.0))
    print(f"{POINTS} points, CuPy on a {cupy.cuda.runtime.getDeviceProperties(0)['name'].decode()}: "
          f"{microseconds:.1f} us (published: {PUBLISHED_US}), worst error {worst:.1e}")
    if not worst < 1e-5:
        print("course_cupy: the kernel and NumPy disagree.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
