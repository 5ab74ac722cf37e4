# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes colour_maps.inc, the 256-entry RGB tables of the colour maps (provenance: ../README.md).

viridis, inferno, magma, plasma and turbo come from matplotlib's published tables; gray, hot, bone,
blue-orange, red-blue and hue are computed here. Usage: python make_colormaps.py (needs numpy and matplotlib >= 3.5)
"""
from pathlib import Path

import matplotlib
import numpy as np

ENTRIES = 256


def gray():
    return np.repeat(np.linspace(0.0, 1.0, ENTRIES)[:, None], 3, axis=1)


def hot():
    """Black-body look: red, then green, then blue rise linearly over 3/8, 3/8 and 2/8 of the range."""
    x = np.linspace(0.0, 1.0, ENTRIES)
    return np.clip(np.stack([x / 0.375, (x - 0.375) / 0.375, (x - 0.75) / 0.25], axis=1), 0.0, 1.0)


def bone():
    """Gray with a tinge of blue: (7 gray + hot with red and blue exchanged) / 8."""
    return (7.0 * gray() + hot()[:, ::-1]) / 8.0


def blue_orange():
    """For values with a sign: black in the middle, blue below, orange above, both growing lighter alike. Blue and
    vermillion are those of Okabe and Ito, which people with any colour vision tell apart."""
    from_middle = np.arange(ENTRIES) - (ENTRIES - 1) / 2  # ..., -0.5, 0.5, ...
    part = (np.abs(from_middle) - 0.5) / (ENTRIES / 2 - 1)
    below, above = np.array([0, 114, 178]) / 255, np.array([213, 94, 0]) / 255
    ends = {False: [below, np.array([0.75, 0.92, 1.0])], True: [above, np.array([1.0, 0.9, 0.65])]}
    knots = [0.0, 0.6, 1.0]
    side = {way: np.stack([np.interp(part, knots, [0.0, full[c], light[c]]) for c in range(3)], axis=1)
            for way, (full, light) in ends.items()}
    return np.where((from_middle > 0.0)[:, None], side[True], side[False])


def red_blue():
    """For velocities: black in the middle, towards the probe red to yellow, away from it blue to cyan."""
    from_middle = np.arange(ENTRIES) - (ENTRIES - 1) / 2
    part = (np.abs(from_middle) - 0.5) / (ENTRIES / 2 - 1)
    own = np.clip(part / 0.6, 0.0, 1.0)  # rises to full brightness first
    second = np.clip((part - 0.4) / 0.6, 0.0, 1.0)  # then changes its hue
    towards = from_middle > 0.0
    return np.stack([own * towards, second * (0.95 * towards + 0.85 * ~towards), own * ~towards], axis=1)


def hue():
    """For directions: the circle of hues, red to the right, and black for none in entry 0."""
    part = np.arange(ENTRIES)[:, None] / (ENTRIES - 1) * 6.0
    colours = np.clip(np.abs((part - np.array([0.0, 2.0, 4.0]) + 3.0) % 6.0 - 3.0) * -1.0 + 2.0, 0.0, 1.0)
    colours[0] = 0.0
    return colours


def published(name):
    return np.asarray(matplotlib.colormaps[name].colors)


def main():
    tables = {"gray": gray()}
    tables |= {name: published(name) for name in ("viridis", "inferno", "magma", "plasma", "turbo")}
    tables |= {"hot": hot(), "bone": bone(), "blue-orange": blue_orange(), "red-blue": red_blue(), "hue": hue()}
    lines = [
        "// SPDX-License-Identifier: GPL-3.0-or-later",
        "// Written by make_colormaps.py: {name, {0xRRGGBB of entry 0, ..., 255}}. Provenance: resources/README.md",
    ]
    for name, table in tables.items():
        assert table.shape == (ENTRIES, 3), name
        codes = [f"0x{r:02x}{g:02x}{b:02x}" for r, g, b in np.rint(255.0 * table).astype(int)]
        lines.append(f'{{"{name}",\n {{')
        lines += ["  " + ", ".join(codes[i : i + 12]) + "," for i in range(0, ENTRIES, 12)]
        lines.append(" }},")
    (Path(__file__).parent / "colour_maps.inc").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
