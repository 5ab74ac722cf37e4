#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Beamformers of ustb 0.2.0 beside those of `echolux bench beamformers`, on delayed signals of the same size: 128 channels,
387 columns.

beamformers_ustb.py [ECHOLUX]: with the program, 61 rows, both on the CPU, one method after the other; else ustb alone, on 609
rows. It prints medians of three runs, after an untimed one. USTB's delay, multiply and sum band-passes besides. Exit status: 77
where ustb or pyuff_ustb is missing."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np

CHANNELS, COLUMNS = 128, 387
RUNS = 3


def delayed(ustb, uff, rows):
    random = np.random.default_rng(1)
    scan = uff.LinearScan()
    scan.x_axis = np.linspace(-19e-3, 19e-3, COLUMNS)
    scan.z_axis = 5e-3 + 25e-6 * np.arange(rows)
    shape = (rows * COLUMNS, CHANNELS, 1, 1)
    parts = [random.uniform(-1, 1, shape).astype(np.float32) for _ in range(2)]
    return ustb.beamformed_data.BeamformedData(scan=scan, data=parts[0] + 1j * parts[1])


def beamformers(post):
    """Name (the bench's problems, and what is done), class, attributes."""
    recording = SimpleNamespace(sound_speed=1540.0, probe=None, pulse=SimpleNamespace(center_frequency=5e6))
    yield "B2 coherence factor", post.CoherenceFactor, {}
    yield "B3 generalized, M0 = 2", post.GeneralizedCoherenceFactor, {"M0": 2}
    yield "B4,B5 phase coherence", post.PhaseCoherenceFactor, {}
    yield "B7 short lags, 20 x 5", post.ShortLagSpatialCoherence, {"maxM": 20, "_K_samples": 5}
    yield "B8 multiply, band-pass", post.DelayMultiplyAndSum, {
        "channel_data": recording, "filter_freqs": [7.5e6, 8.75e6, 12.5e6, 13.75e6]}
    yield "B9 Capon, 32, 1 row", post.CaponMinimumVariance, {"_K_samples": 0, "L_elements": 32, "regCoef": 0.01}
    yield "B9r Capon, 32, 3 rows", post.CaponMinimumVariance, {"_K_samples": 1, "L_elements": 32, "regCoef": 0.01}


def seconds(kind, attributes, data, receive):
    beamformer = kind()
    beamformer.input, beamformer.dimension = data, receive
    for name, value in attributes.items():
        setattr(beamformer, name, value)
    start = time.perf_counter()
    beamformer.go()
    return time.perf_counter() - start


def milliseconds_of(echolux, problems):
    """What the bench takes for the problems together."""
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        command = [echolux, "bench", "beamformers", "--backend", "cpu", "--problem", problems, "--repeat", str(RUNS)]
        subprocess.run([*command, "--json", figures], check=True, stdout=subprocess.DEVNULL)
        return sum(each["frame_ms"] for each in json.loads(figures.read_text())["results"])


def main():
    try:
        import pyuff_ustb as uff
        import ustb.beamformed_data
        from ustb import postprocess
        from ustb.enums import Dimension
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    warnings.simplefilter("ignore")  # Numba's about layouts
    echolux = sys.argv[1] if len(sys.argv) > 1 else None
    rows = 61 if echolux else 609
    data, few = delayed(ustb, uff, rows), delayed(ustb, uff, 8)
    print(f"CPU, {os.cpu_count()} threads, {rows} x {COLUMNS} pixels, {CHANNELS} channels, ms")
    print(f"  {'':<24} {'ustb':>10}" + (f" {'Echolux':>10} {'ratio':>8}" if echolux else ""))
    for name, kind, attributes in beamformers(postprocess):
        seconds(kind, attributes, few, Dimension.receive)
        peer = 1e3 * statistics.median(seconds(kind, attributes, data, Dimension.receive) for _ in range(RUNS))
        line = f"  {name:<24} {peer:10.1f}"
        if echolux:
            own = milliseconds_of(echolux, name.split()[0])
            line += f" {own:10.1f} {peer / own:8.1f}"
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
