# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes singular_blocks.txt: singular values removed in blocks of the images, by numpy.linalg.svd of each block (Song et
al., IEEE Trans. Med. Imaging 36, 2017). Usage: python tests/gpu/vectors/make_singular_blocks.py (needs numpy)"""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

FRAMES, DEPTH, LATERAL = 8, 17, 13
rng = np.random.default_rng(13)
t = np.arange(FRAMES)


def gaussian(*size):
    return rng.normal(size=size) + 1j * rng.normal(size=size)


# Two parts of tissue above weak signal; the stronger one turns faster in the lower half. Blocks that lie in both halves
# hold three parts.
turn = np.exp(1j * (0.05 + 0.3 * (np.arange(DEPTH) >= 9))[None, :, None] * t[:, None, None])
ensemble = 100.0 * gaussian(1, DEPTH, LATERAL) * turn + \
    10.0 * gaussian(1, DEPTH, LATERAL) * np.cos(0.7 * t)[:, None, None] + 1.5 * gaussian(FRAMES, DEPTH, LATERAL)
ensemble = ensemble.astype(np.complex64).astype(np.complex128)


def cuts(size, most, span):
    """Where the axis is cut into parts of nearly equal length; a block is `span` parts long."""
    parts = span if most >= size else -(-span * size // most)
    return [part * size // parts for part in range(parts + 1)]


def weights(edges, span, block):
    """Of the pixels of the axis, 0 outside the block: 3 t^2 - 2 t^3 where the neighbour overlaps."""
    weight = np.zeros(edges[-1])
    last = len(edges) - 1 - span
    for part in range(block, block + span):
        begin, end = edges[part], edges[part + 1]
        ramp = (np.arange(end - begin) + 0.5) / (end - begin)
        ramp = ramp * ramp * (3.0 - 2.0 * ramp)
        if span == 1 or (part == block and block == 0) or (part > block and block == last):
            ramp = np.ones(end - begin)
        elif part > block:
            ramp = 1.0 - ramp
        weight[begin:end] = ramp
    return weight


def filtered(deep, wide, span, keep):
    """keep(s, vh): which singular values of a block are kept."""
    rows, columns = cuts(DEPTH, deep, span), cuts(LATERAL, wide, span)
    total = np.zeros_like(ensemble)
    whole = np.zeros((DEPTH, LATERAL))
    for i in range(len(rows) - span):
        for k in range(len(columns) - span):
            part = np.zeros_like(ensemble)
            inside = np.s_[:, rows[i]:rows[i + span], columns[k]:columns[k + span]]
            u, s, vh = np.linalg.svd(ensemble[inside].reshape(FRAMES, -1).T, full_matrices=False)
            kept = (u * (s * keep(s, vh))) @ vh
            part[inside] = kept.T.reshape(ensemble[inside].shape)
            weight = np.outer(weights(rows, span, i), weights(columns, span, k))
            total += weight * part
            whole += weight
    assert np.allclose(whole, 1.0)
    return np.stack([total.real, total.imag], axis=-1)


def numbers(first, last):
    def keep(s, vh):
        for cut in (first - 1, last):  # vectors of nearly equal values are known less well
            assert cut in (0, len(s)) or s[cut - 1] > 1.5 * s[cut], s
        return (np.arange(1, len(s) + 1) >= first) & (np.arange(1, len(s) + 1) <= last)
    return keep


def limits(cut, floor_db):
    """From the first value whose vector turns by `cut` radians per frame to the last one above the floor."""
    def keep(s, vh):
        radians = np.abs(np.angle(np.sum(np.conj(vh[:, :-1]) * vh[:, 1:], axis=1)))
        end = int(np.argmin(np.append(20.0 * np.log10(s / s[0]) >= -floor_db, False)))
        first = int(np.argmax(np.append(radians[:end] >= cut, True)))
        print("limits keep from", first + 1, "to", end, np.round(radians, 2), np.round(20.0 * np.log10(s / s[0]), 1))
        return (np.arange(len(s)) >= first) & (np.arange(len(s)) < end)
    return keep


write(HERE / "singular_blocks.txt", "make_singular_blocks.py", {
    "ensemble": np.stack([ensemble.real, ensemble.imag], axis=-1),
    "apart": filtered(6, 5, 1, numbers(3, FRAMES)),  # blocks of 5 or 6 x 4 or 5 pixels
    "overlapping": filtered(8, 7, 2, numbers(3, FRAMES)),
    "columns": filtered(DEPTH, 6, 2, numbers(2, FRAMES)),
    "range": filtered(8, 7, 2, numbers(2, 2)),
    "by_limits": filtered(9, LATERAL, 1, limits(0.4, 45.4)),
})
