# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes files with h5py whose samples are in another file, hdf5_linked.h5, for hdf5_safety_test.cpp.

Usage: make_hdf5_links.py FOLDER: writes hdf5_*.h5 there."""
import sys
from pathlib import Path

import h5py
import numpy as np

folder = Path(sys.argv[1])
with h5py.File(folder / "hdf5_linked.h5", "w", libver=("v110", "v110")) as f:
    f["data"] = np.arange(8, dtype=np.float32).reshape(1, 1, 4, 2, 1)
for name in ("external_link", "link_through"):
    with h5py.File(folder / f"hdf5_{name}.h5", "w", libver=("v110", "v110")) as f:
        f["scan/probe_geometry"] = np.array([[0, 0, 0], [1e-3, 0, 0]], np.float32)
        f["scan/sampling_frequency"] = 20e6
        f["scan/center_frequency"] = 5e6
        f["scan/initial_times"] = np.zeros(1)
        f["scan/t0_delays"] = np.zeros((1, 2))
        data = f.create_group("data")
        if name == "external_link":
            data["raw_data"] = h5py.ExternalLink("hdf5_linked.h5", "/data")
        else:
            data["away"] = h5py.ExternalLink("hdf5_linked.h5", "/")
            data["raw_data"] = h5py.SoftLink("/data/away/data")
