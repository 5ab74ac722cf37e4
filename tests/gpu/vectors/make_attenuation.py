# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes attenuation.txt: depth-resolved attenuation, and angiograms without tails, by their definitions in double precision.
Usage: python tests/gpu/vectors/make_attenuation.py (needs numpy)"""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

FRAMES, LINES, DEPTHS, STEP = 3, 5, 60, 0.003  # [mm]
NOISE = 0.5
rng = np.random.default_rng(11)


def interleaved(values):
    return np.stack([values.real, values.imag], axis=-1)


def single(values):
    return values.astype(np.complex64).astype(np.complex128)


def normal(*shape):
    return (rng.normal(size=shape) + 1j * rng.normal(size=shape)) / np.sqrt(2)


def box(values, lateral, depth):
    out = np.empty_like(values)
    for x in range(values.shape[0]):
        for z in range(values.shape[1]):
            out[x, z] = values[max(0, x - lateral // 2):x + lateral // 2 + 1,
                               max(0, z - depth // 2):z + depth // 2 + 1].mean()
    return out


def attenuation(power, noise, threshold, step, subtracts=True, lateral=3, depth=3, end=0.0, roll_off=0.0, zero=0,
                used=None):
    """`power` [line][depth]; lengths in mm, or in pixels with a step of 1."""
    mean = box(power, lateral, depth)
    gain = 10 ** (roll_off * step * (np.arange(power.shape[1]) - zero) / 10)
    intensity = gain * (mean - (noise if subtracts else 0.0))
    used = used or power.shape[1]
    intensity[:, used:] = 0.0
    deeper = np.cumsum(intensity[:, ::-1], axis=1)[:, ::-1] - intensity
    if end > 0:
        last = -(-used // 20)
        share = 1 / (np.exp(2 * end * step * last) - 1)
        deeper = deeper + np.maximum(0, share * intensity[:, used - last:used].sum(axis=1, keepdims=True))
    shown = (mean >= threshold * noise) & (intensity > 0) & (deeper > 0) & (np.arange(power.shape[1]) >= zero)
    return np.log1p(np.where(shown, intensity, 0.0) / np.where(shown, deeper, 1.0)) / (2 * step)


def noise_of(profile, samples):
    """What a fifth of the depths stay below; less where the light fades in the last fifth (Aitken's limit)."""
    quiet = np.sort(profile)[profile.size // 5]
    fifth = profile.size // 5
    half = fifth // 2
    above, below = profile[-2 * half:-half].mean(), profile[-half:].mean()
    if above <= below * (1 + max(0.1, 4 / np.sqrt(samples * half))):
        return quiet
    a, b, c = (profile[profile.size - n * fifth:profile.size - (n - 1) * fifth].mean() for n in (3, 2, 1))
    return np.clip((a * c - b * b) / (a + c - 2 * b), 0.0, quiet) if a > b > c else 0.0


def attenuation_to_end(power, noise, threshold, step, lateral, depth):
    """The end of the light and what goes on below it, from the mean profile; lengths in mm."""
    mean = box(power, lateral, depth)
    intensity = mean - noise
    profile = intensity.mean(axis=0)
    light = (profile > 0) & (profile >= (threshold - 1) * noise)
    first = np.flatnonzero(light)[0]
    rest = np.cumsum(np.where(light, profile, 0.0)[::-1])[::-1]
    ends = np.flatnonzero(~light & (rest <= 0.01 * rest[0]) & (np.arange(profile.size) > first))
    end = ends[0] if ends.size else profile.size
    if end < profile.size:
        end -= depth // 2 + 1
    region = end - first
    fitted = np.arange(end - min(region, max(16, region // 2)), end)
    fitted = fitted[light[fitted]]
    fade = max(-np.polyfit(fitted, np.log(profile[fitted]), 1)[0], 0.2 / region)
    last = min(region, max(8, region // 10))
    intensity[:, end:] = 0.0
    below = np.maximum(0, intensity[:, end - last:end].sum(axis=1, keepdims=True) / np.expm1(fade * last))
    deeper = np.cumsum(intensity[:, ::-1], axis=1)[:, ::-1] - intensity + below
    shown = (mean >= threshold * noise) & (intensity > 0) & (deeper > 0)
    return np.log1p(np.where(shown, intensity, 0.0) / np.where(shown, deeper, 1.0)) / (2 * step)


def running(values, gap, fold):
    """fold(z, values of the line up to z - gap) at each pixel."""
    out = np.zeros_like(values)
    for x in range(values.shape[0]):
        for z in range(values.shape[1]):
            out[x, z] = fold(z, values[x, :max(0, z - gap + 1)])
    return out


amplitude = 20 * np.exp(-0.06 * np.arange(DEPTHS)) * (1 + 0.5 * (np.arange(DEPTHS) > 25))
scans = single(amplitude * normal(FRAMES, LINES, DEPTHS) + np.sqrt(NOISE) * normal(FRAMES, LINES, DEPTHS))
power = np.mean(np.abs(scans) ** 2, axis=0)
first = np.abs(scans[0]) ** 2
noise = noise_of(power.mean(axis=0), FRAMES * LINES)
limit = 10 ** 0.6

# A long line over 60 dB, whose sums must stay accurate.
LONG = 4096
long = single(1000 * np.exp(-np.log(1000) * np.arange(LONG) / LONG) * normal(1, LONG))

# Lines of 600 pixels, more than a block of a GPU handles at once.
angiogram = (rng.uniform(size=(4, 600)) ** 6).astype(np.float32).astype(np.float64)
angiogram[angiogram < 1e-4] = 0.0
GAP, LENGTH, GAMMA, SHARE, TOP = 7, 40.0, 12.0, 0.6, 0.25  # [pixels]; TOP as F


def fading(z, above):
    return np.max(above * np.exp(-(z - np.arange(above.size)) / LENGTH), initial=0.0)


strongest = running(angiogram, GAP, lambda z, above: np.max(above, initial=0.0))
summed = running(angiogram, GAP, lambda z, above: above.sum())

write(HERE / "attenuation.txt", "make_attenuation.py", {
    "scans": interleaved(scans),
    "given_noise": attenuation(first, NOISE, limit, STEP, lateral=1, depth=1),
    "with_noise": attenuation(first, NOISE, 1e-6, STEP, subtracts=False),
    "found_noise": attenuation(power, noise, limit, STEP, lateral=5),
    "found_end": attenuation_to_end(power, NOISE, limit, STEP, 5, 3),
    "end": attenuation(power, NOISE, limit, STEP, end=3.0),
    "used": attenuation(power, NOISE, limit, STEP, end=3.0, used=42),
    "roll_off": attenuation(power, NOISE, limit, STEP, roll_off=30.0),
    "full_range": attenuation(power, NOISE, limit, STEP, roll_off=30.0, zero=20),
    "per_pixel": attenuation(power, NOISE, limit, 1.0, end=0.01, roll_off=0.02),
    "long": interleaved(long),
    "long_attenuation": attenuation(np.abs(long) ** 2, 1e-12, 1e-6, STEP, lateral=1, depth=1),
    "angiogram": angiogram,
    "subtract": np.maximum(0, angiogram - SHARE * running(angiogram, GAP, fading)),
    "attenuate": angiogram * np.exp(-summed / (GAMMA * TOP)),
    "resolve": np.where(angiogram > SHARE * strongest, angiogram, 0.0),
})
