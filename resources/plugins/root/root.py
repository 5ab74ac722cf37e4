# SPDX-License-Identifier: GPL-3.0-or-later
"""A stage in Python, on amplitudes. It takes NumPy arrays, and CuPy arrays on a GPU."""
import numpy
from echolux_stages import Real, stage


@stage(label="Root", gpu=True)
def root(image, exponent=Real(0.5, 0.1, 1.0, step=0.05, help="1 leaves the amplitudes as they are.")):
    """Raises amplitudes to a power, so weak echoes come up."""
    return numpy.abs(image) ** exponent
