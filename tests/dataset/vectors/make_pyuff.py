# SPDX-License-Identifier: GPL-3.0-or-later
"""A small UFF file as pyuff_ustb (3.0) writes it, without the root attribute `version` that USTB's
own files have, for detect_test.cpp.

Usage: make_pyuff.py OUT.uff (pip install pyuff_ustb)"""
import sys

import numpy as np
import pyuff_ustb as pyuff

probe = pyuff.LinearArray(N=4, pitch=3e-4, element_width=2.7e-4, element_height=5e-3, origin=pyuff.Point())
wave = pyuff.Wave(
    wavefront=pyuff.Wavefront.plane,
    source=pyuff.Point(azimuth=0.1, distance=np.inf),
    origin=pyuff.Point(),
    probe=probe,
    sound_speed=1540.0,
)
data = pyuff.ChannelData(
    probe=probe,
    sequence=[wave],
    data=np.arange(32, dtype=np.float32).reshape(8, 4, 1),
    sampling_frequency=20e6,
    initial_time=1e-6,
    sound_speed=1540.0,
    modulation_frequency=0.0,
)
data.write(sys.argv[1], "channel_data", ignore_missing_compulsory_fields=True)
