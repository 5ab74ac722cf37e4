# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes reference vectors for tests/support/vectors.hpp: one line per vector with its name and values."""

import numpy as np


def write(path, made_by, vectors):
    with open(path, "w", encoding="ascii") as file:
        file.write(f"# Made by {made_by}; a line per vector: name, then single-precision values.\n")
        for name, values in vectors.items():
            flat = np.asarray(values, dtype=np.float32).ravel()
            file.write(" ".join([name] + [f"{value:.9g}" for value in flat]) + "\n")


def read(path):
    """The vectors of a file that write() made, by name, in double precision."""
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    return {words[0]: np.array(words[1:], dtype=np.float32).astype(np.float64) for words in lines}
