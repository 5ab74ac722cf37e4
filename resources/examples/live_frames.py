# SPDX-License-Identifier: GPL-3.0-or-later OR BSD-3-Clause
"""A scanner that Echolux shows live: live_frames.py [SECONDS], then echolux view --source shared:example"""
import sys
import time

import numpy as np
from echolux_live import Writer

DESCRIPTION = """sound_speed = 1540
probe.pitch = 0.3e-3
transmit.angles = [0]
signal = { sampling_frequency = 20e6, centre_frequency = 5e6, frame_rate = 100 }
[data]
dtype = "<i2"
shape = [64, 1024]
axes = ["channel", "sample"]
"""

random = np.random.default_rng()
echo = np.int16([6000, 6000, -6000, -6000, 6000, 6000, -6000, -6000])
with Writer("example", 64 * 1024 * 2, DESCRIPTION) as out:
    for frame in range(100 * int(sys.argv[1] if len(sys.argv) > 1 else 60)):
        samples = random.integers(-200, 200, (64, 1024), dtype=np.int16)
        at = 500 + frame % 200  # a flat reflector that moves
        samples[:, at:at + 8] += echo
        out.write(samples, number=frame)
        time.sleep(0.01)
