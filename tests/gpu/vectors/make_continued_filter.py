# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes continued_filter.txt: high-pass filters that go on over three ensembles, by scipy.signal.lfilter from the steady
state of the first frame. Usage: python tests/gpu/vectors/make_continued_filter.py (needs numpy, scipy)"""
import sys
from pathlib import Path

import numpy as np
import scipy.signal

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

ENSEMBLES, FRAMES, PIXELS = 3, 9, 42
random = np.random.default_rng(11)
frames = random.normal(size=(ENSEMBLES * FRAMES, PIXELS)) + 1j * random.normal(size=(ENSEMBLES * FRAMES, PIXELS))
# Tissue 40 dB above, which turns slowly.
frames += 100.0 * np.exp(0.02j * np.arange(ENSEMBLES * FRAMES))[:, None] * random.normal(size=PIXELS)
frames = frames.astype(np.complex64).astype(np.complex128)

# Cut-off 0.05 m/s, as a part of the Nyquist velocity.
SPEED, CENTRE, INTERVAL = 1500.0, 4e6, 1 / 3000
CUTOFF = 0.05 / (SPEED / (4 * CENTRE * INTERVAL))


def interleaved(values):
    return np.stack([values.real, values.imag], axis=-1)


def continued(b, a):
    state = scipy.signal.lfilter_zi(b, a)[:, None] * frames[0]
    return scipy.signal.lfilter(b, a, frames, axis=0, zi=state)[0]


write(HERE / "continued_filter.txt", "make_continued_filter.py", {
    "frames": interleaved(frames),
    "butterworth_3": interleaved(continued(*scipy.signal.butter(3, CUTOFF, "highpass"))),
    "fir_4": interleaved(continued(scipy.signal.firwin(5, CUTOFF, pass_zero=False, window="hamming"), [1.0])),
})
