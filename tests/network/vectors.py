#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""vectors.py FOLDER: messages of OpenIGTLink as pyigtl 0.3.4 writes them (pip install pyigtl), for igtl_message_test.cpp."""
import sys
from pathlib import Path

import numpy as np
import pyigtl

folder = Path(sys.argv[1])


def write(name, message):
    (folder / (name + ".igtl")).write_bytes(message.pack())


step = np.diag([0.2, 0.1, 1.0, 1.0])
step[:3, 3] = [-3.0, 5.0, 0.0]  # the first pixel
grey = (np.arange(4 * 3, dtype=np.uint8) * 20).reshape(1, 3, 4)  # [k][j][i]
write("grey", pyigtl.ImageMessage(grey, device_name="Probe", timestamp=1700000000.25, ijk_to_world_matrix=step))
volume = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4) - 10.5
write("volume", pyigtl.ImageMessage(volume, device_name="Echolux", timestamp=1.5, ijk_to_world_matrix=step))
colours = np.arange(1 * 2 * 3 * 3, dtype=np.uint8).reshape(1, 2, 3, 3)
write("colours", pyigtl.ImageMessage(colours, device_name="Probe", ijk_to_world_matrix=np.eye(4)))
tagged = pyigtl.ImageMessage(grey, device_name="Probe", timestamp=2.0, ijk_to_world_matrix=step)
tagged.header_version = 2
tagged.metadata = {"depth": "40 mm"}
write("tagged", tagged)
place = np.eye(4)
place[:3, 3] = [10.0, -20.0, 30.5]
write("transform", pyigtl.TransformMessage(place, device_name="ProbeToTracker"))
