#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the network of the plugin speed_of_sound with NumPy alone and writes weights.hpp beside this file.

    train.py --echolux build/release/app/echolux --folder /tmp/speeds

The frames are simulated by `echolux simulate plane-wave` and made analytic by the pipeline `rf`. features() is the
formula of the plugin. Frames whose number is a multiple of 5 are left out of the training; the figures printed at the
end, and those in README.md, are of these frames."""

import argparse
import json
import pathlib
import re
import subprocess

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ASSUMED = 1540.0  # m/s; where in the image a patch lies is reckoned with this speed
TRIALS = np.linspace(1400.0, 1680.0, 9)  # m/s
ROWS, COLUMNS = 4, 4  # patches
DOWN, ACROSS = 16, 3  # points of a patch
REACH = 0.5  # greatest |x - x_point| / z of an element
INPUTS = len(TRIALS) + 2
HIDDEN = 16
SCALE = 0.05  # the network's output of 1, relative to ASSUMED


def coherence(data, first_sample_s, angles, element_x, fs, fd, x, z, speed):
    """Energy of the sum over all elements and transmits, by the energies of its terms times their number: 1 where all
    echoes agree. Of points (x, z), in data [transmit][channel][sample] as the stage `analytic` gives them: analytic
    signals, mixed down by `fd` (Hz) with the phase 0 at the first sample."""
    transmits, channels, samples = data.shape
    z = z * speed / ASSUMED  # the same echoes for all speeds
    counts = np.abs(element_x[None, :] - x[:, None]) <= REACH * z[:, None]
    back = np.hypot(element_x[None, :] - x[:, None], z[:, None])
    total, terms, number = np.zeros(len(x), complex), np.zeros(len(x)), np.zeros(len(x))
    for t in range(transmits):
        there = x * np.sin(angles[t]) + z * np.cos(angles[t])
        at = ((there[:, None] + back) / speed - first_sample_s[t]) * fs
        n = np.floor(at).astype(int)
        inside = counts & (n >= 0) & (n < samples - 1)
        n = np.where(inside, n, 0)
        e = np.arange(channels)[None, :]
        here, after = data[t][e, n], data[t][e, n + 1]
        value = np.where(inside, (here + (at - np.floor(at)) * (after - here)) * np.exp(2j * np.pi * fd / fs * at), 0.0)
        total += value.sum(1)
        terms += (np.abs(value) ** 2).sum(1)
        number += inside.sum(1)
    bound = np.sum(number * terms)
    return np.sum(np.abs(total) ** 2) / bound if bound > 0 else 0.0


def features(data, first_sample_s, angles, element_x, fs, fd, rows=ROWS, columns=COLUMNS):
    """[row, column, INPUTS] of patches between the outer elements: the coherences for the trial speeds, less their mean
    and divided by their range; this range by the mean; the patch's depth over the array's width."""
    deepest = 0.5 * ASSUMED * (min(first_sample_s) + (data.shape[2] - 1) / fs)
    top, bottom = 0.1 * deepest, 0.8 * deepest
    aperture = element_x[-1] - element_x[0]
    width, height = aperture / columns, (bottom - top) / rows
    out = np.zeros((rows, columns, INPUTS))
    for row in range(rows):
        for column in range(columns):
            x = element_x[0] + (column + (np.arange(ACROSS) + 0.5) / ACROSS) * width
            z = top + (row + (np.arange(DOWN) + 0.5) / DOWN) * height
            x, z = (a.ravel() for a in np.meshgrid(x, z))
            curve = np.array([coherence(data, first_sample_s, angles, element_x, fs, fd, x, z, c) for c in TRIALS])
            span = curve.max() - curve.min()
            if span > 0:
                out[row, column, :-2] = (curve - curve.mean()) / span
                out[row, column, -2] = span / curve.mean()
            out[row, column, -1] = (top + (row + 0.5) * height) / aperture
    return out


def estimate(network, x):
    """m/s, from features [..., INPUTS]."""
    w1, b1, w2, b2 = network
    return ASSUMED * (1.0 + SCALE * (np.tanh(x @ w1 + b1) @ w2 + b2))


def train(x, speeds, random, steps=20000, batch=128):
    """Adam on the squared error, with a falling step."""
    y = (speeds / ASSUMED - 1.0) / SCALE
    weights = [random.normal(0, 0.3, (INPUTS, HIDDEN)), np.zeros(HIDDEN), random.normal(0, 0.3, HIDDEN), np.zeros(())]
    mean = [np.zeros_like(w) for w in weights]
    square = [np.zeros_like(w) for w in weights]
    for step in range(1, steps + 1):
        some = random.integers(0, len(x), batch)
        hidden = np.tanh(x[some] @ weights[0] + weights[1])
        error = (hidden @ weights[2] + weights[3] - y[some]) / batch
        back = np.outer(error, weights[2]) * (1.0 - hidden**2)
        gradients = [x[some].T @ back + 1e-5 * weights[0], back.sum(0), hidden.T @ error + 1e-5 * weights[2],
                     np.asarray(error.sum())]
        rate = 3e-3 * (1.0 - step / (steps + 1))
        for i, gradient in enumerate(gradients):
            mean[i] = 0.9 * mean[i] + 0.1 * gradient
            square[i] = 0.999 * square[i] + 0.001 * gradient**2
            weights[i] = weights[i] - rate * (mean[i] / (1 - 0.9**step)) / (
                np.sqrt(square[i] / (1 - 0.999**step)) + 1e-8)
    return weights


def frames(count):
    """Random conditions of `count` frames."""
    random = np.random.default_rng(28)
    for number in range(count):
        megahertz = round(random.uniform(3.5, 7.0), 2)
        yield {
            "sound-speed": round(random.uniform(1420.0, 1630.0), 1), "seed": 1000 + number,
            "phantom": str(random.choice(["speckle", "cysts", "cine"])), "elements": int(random.choice([64, 96])),
            "fc": megahertz, "pitch": round(random.uniform(0.7, 1.1) * 1.54 / megahertz, 3), "speckle-density": 2,
            "depth": round(random.uniform(30.0, 60.0), 1), "snr": round(random.uniform(5.0, 50.0), 1),
            "attenuation": round(random.uniform(0.0, 0.7), 2),
            "angles": str(random.choice(["-10,0,10", "-10:10:5", "-8:8:2"]))}


def frame_features(echolux, folder, number, conditions):
    """Simulates the frame, unless its features are in the folder already."""
    kept = folder / f"{number}.npy"
    if kept.exists():
        return np.load(kept)
    recording, array = folder / f"{number}.echolux.h5", folder / f"{number}.data.npy"
    options = [f"--{key}={value}" for key, value in conditions.items()]
    subprocess.run([echolux, "simulate", "plane-wave", "-o", recording, "--force", "--frames=1", *options], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([echolux, "render", recording, "--pipeline", "rf", "--output-of", "analytic", "--backend", "cpu",
                    "-o", array, "--force"], check=True, stdout=subprocess.DEVNULL)
    facts = json.loads(subprocess.run([echolux, "info", recording, "--json"], check=True, capture_output=True).stdout)
    x = np.array(facts["probe"]["elements_m"])[:, 0]
    transmits = facts["transmits"]
    made = features(np.load(array), [t["first_sample_s"] for t in transmits], [t["angle_rad"] for t in transmits], x,
                    facts["sampling_frequency_hz"], facts["centre_frequency_hz"])
    np.save(kept, made)
    for file in (recording, array, array.with_suffix(".json")):
        file.unlink(missing_ok=True)
    return made


def written(values):
    return ", ".join(f"{value:.8g}F" if "." in f"{value:.8g}" or "e" in f"{value:.8g}" else f"{value:.8g}.0F"
                     for value in np.ravel(values))


def write_header(network):
    w1, b1, w2, b2 = network
    text = f"""// SPDX-License-Identifier: GPL-3.0-or-later
// The trained network. Written by train.py.
#pragma once

namespace speed_of_sound {{

constexpr int kTrials = {len(TRIALS)};
constexpr int kInputs = {INPUTS};
constexpr int kHidden = {HIDDEN};
constexpr float kScale = {SCALE}F; ///< an output of 1, relative to 1540 m/s

// clang-format off
constexpr float kHiddenWeights[kInputs][kHidden] = {{
"""
    text += "".join(f"    {{{written(row)}}},\n" for row in w1)
    text += f"""}};
constexpr float kHiddenBiases[kHidden] = {{{written(b1)}}};
constexpr float kOutputWeights[kHidden] = {{{written(w2)}}};
constexpr float kOutputBias = {written(b2)};
// clang-format on

}} // namespace speed_of_sound
"""
    (HERE / "weights.hpp").write_text(text)


def read_header():
    """The network of weights.hpp."""
    text = (HERE / "weights.hpp").read_text()
    values = np.array([float(v) for v in re.findall(r"(-?[0-9][0-9.e+-]*)F", text[text.index("kHiddenWeights"):])])
    sizes = [INPUTS * HIDDEN, HIDDEN, HIDDEN, 1]
    w1, b1, w2, b2 = np.split(values, np.cumsum(sizes)[:-1])
    return w1.reshape(INPUTS, HIDDEN), b1, w2, b2[0]


def report(network, x, speeds, chosen, what):
    found = estimate(network, x[chosen])
    true = speeds[chosen]
    whole = np.median(found, axis=(1, 2)) - true
    each = found - true[:, None, None]
    inside = np.abs(true - 1525.0) <= 75.0
    print(f"{what}: {chosen.sum()} frames, {inside.sum()} of 1450 to 1600 m/s. In these, error of the frame's median: "
          f"rms {np.sqrt(np.mean(whole[inside] ** 2)):.1f}, most {np.abs(whole[inside]).max():.1f} m/s; of a patch: "
          f"rms {np.sqrt(np.mean(each[inside] ** 2)):.1f} m/s. Of 1540 m/s, unestimated: rms "
          f"{np.sqrt(np.mean((true[inside] - ASSUMED) ** 2)):.1f} m/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--echolux", required=True, help="the program")
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="for the features of frames, reused")
    parser.add_argument("--frames", type=int, default=240)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    conditions = list(frames(options.frames))
    x = np.array([frame_features(options.echolux, options.folder, n, c) for n, c in enumerate(conditions)])
    speeds = np.array([c["sound-speed"] for c in conditions])
    held_out = np.arange(len(x)) % 5 == 0
    seen = x[~held_out]
    network = train(seen.reshape(-1, INPUTS), np.repeat(speeds[~held_out], ROWS * COLUMNS), np.random.default_rng(1))
    report(network, x, speeds, ~held_out, "Trained on")
    report(network, x, speeds, held_out, "Left out")
    write_header(network)


if __name__ == "__main__":
    main()
