# SPDX-License-Identifier: GPL-3.0-or-later
"""Small workspaces as Verasonics systems save them, for tests/dataset/verasonics_test.cpp.

python3 make_verasonics_files.py: needs numpy, scipy and h5py. It writes verasonics_frames_v73.mat,
verasonics_walking_v5.mat, and verasonics.json with the values that a reader must find, from closed forms.

The middle of each echo's pulse lies at (transmit delay + path there + path back) / c, counted from
the first element's firing, plus TW.peak and twice the lens, both in wavelengths.
"""

import json

import h5py
import numpy as np
import scipy.io

C = 1540.0
F = 5e6
WAVELENGTH = C / F
PEAK = 1.25
TARGET = np.array([1.0e-3, 12e-3])  # x, z
START, END = 24.0, 56.0  # wavelengths


def positions(count, pitch):
    return (np.arange(count) - (count - 1) / 2) * pitch


def pulse(t):
    return np.exp(-((t * F / 0.8) ** 2)) * np.exp(2j * np.pi * F * t)


# Struct arrays of version 7.3: every field a data set of references.


class Workspace73:
    def __init__(self, path):
        self.file = h5py.File(path, "w", userblock_size=512, libver=("v108", "v108"))
        self.path = path
        self.references = self.file.create_group("#refs#")
        self.known = {}

    def value(self, parent, name, value, compress=False):
        if isinstance(value, str):
            codes = np.array([ord(c) for c in value], "u2").reshape(-1, 1)
            data = parent.create_dataset(name, data=codes)
            data.attrs["MATLAB_class"] = np.bytes_("char")
            data.attrs["MATLAB_int_decode"] = np.int32(2)
        elif isinstance(value, dict):
            group = parent.create_group(name)
            group.attrs["MATLAB_class"] = np.bytes_("struct")
            for key, entry in value.items():
                self.value(group, key, entry)
        elif isinstance(value, list) and isinstance(value[0], dict):
            if len(value) == 1:
                return self.value(parent, name, value[0])
            group = parent.create_group(name)
            group.attrs["MATLAB_class"] = np.bytes_("struct")
            for key in value[0]:
                data = group.create_dataset(key, (len(value), 1), h5py.ref_dtype)
                for i, entry in enumerate(value):
                    data[i, 0] = self.reference(entry[key])
        elif isinstance(value, tuple):
            data = parent.create_dataset(name, (len(value), 1), h5py.ref_dtype)
            data.attrs["MATLAB_class"] = np.bytes_("cell")
            for i, entry in enumerate(value):
                data[i, 0] = self.reference(entry, compress=True)
        else:
            array = np.atleast_2d(np.asarray(value))
            if array.dtype != np.int16:
                array = array.astype("f8")
            kind = "int16" if array.dtype == np.int16 else "double"
            options = {"compression": "gzip", "compression_opts": 9} if compress else {}
            data = parent.create_dataset(name, data=array.T, **options)
            data.attrs["MATLAB_class"] = np.bytes_(kind)

    def reference(self, value, compress=False):
        key = repr(np.asarray(value).tolist())
        if key in self.known:  # one data set for equal values keeps the file small
            return self.references[self.known[key]].ref
        name = f"r{len(self.references)}"
        self.known[key] = name
        self.value(self.references, name, value, compress)
        return self.references[name].ref

    def close(self):
        self.file.close()
        header = b"MATLAB 7.3 MAT-file, written by h5py".ljust(116) + bytes(8)
        with open(self.path, "r+b") as raw:
            raw.write(header + b"\x00\x02IM")


def frames_v73():
    """Plane waves in three frames of a circular buffer; mm; Connector is not ConnectorES."""
    count, pitch, lens_mm = 32, 0.3e-3, 0.2
    x = positions(count, pitch)
    rate, rows = 20e6, 256
    angles = np.deg2rad([-10.0, 0.0, 10.0])
    connector = (np.arange(count) * 7) % count + 1
    lens = lens_mm * 1e-3 / WAVELENGTH
    data = np.zeros((3 * rows + 12, count, 3), np.int16)
    tx, receive, event, first_samples = [], [], [], []
    for i, angle in enumerate(angles):
        path = x * np.sin(angle)
        lead = -path.min() / C  # the first element fires before the wave is at the origin
        delays = path - path.min()
        # The plane wave itself, not that of single elements.
        wave = TARGET[0] * np.sin(angle) + TARGET[1] * np.cos(angle)
        back = np.hypot(x - TARGET[0], TARGET[1])
        t = 2 * START / F + np.arange(rows)[:, None] / rate
        echo = pulse(t - lead - (wave + back)[None, :] / C - (PEAK + 2 * lens) / F).real
        for frame in range(3):
            data[i * rows : (i + 1) * rows, connector - 1, frame] = np.round(
                1000 * (frame + 1) * echo
            )
        tx.append(dict(waveform=1, Origin=[0, 0, 0], focus=0, Steer=[angle, 0],
                       Apod=np.ones(count), Delay=delays / WAVELENGTH))
        first_samples.append(2 * START / F - lead - (PEAK + 2 * lens) / F)
    for frame in range(3):
        for i in range(3):
            receive.append(dict(Apod=np.ones(count), startDepth=START, endDepth=END, mode=0,
                                bufnum=1, framenum=frame + 1, sampleMode="NS200BW",
                                decimSampleRate=20.0, quadDecim=1, startSample=i * rows + 1,
                                endSample=(i + 1) * rows))
            event.append(dict(tx=i + 1, rcv=len(receive),
                              seqControl=[1, 2] if i < 2 else [3, 2]))
        event.append(dict(tx=0, rcv=0, seqControl=0))
    file = Workspace73("verasonics_frames_v73.mat")
    places = np.zeros((count, 5))
    places[:, 0] = x * 1e3
    for name, value in dict(
        Trans=dict(name="L-test", units="mm", frequency=5.0, type=0, elementWidth=0.25,
                   ElementPos=places, lensCorrection=lens_mm, Bandwidth=[3.5, 6.5],
                   Connector=connector.reshape(-1, 1).astype("f8"),
                   ConnectorES=np.arange(1.0, count + 1).reshape(-1, 1)),
        TX=tx, Receive=receive, Event=event, RcvData=(data,),
        TW=[dict(type="parametric", Parameters=[5.0, 0.67, 2, 1], peak=PEAK)],
        SeqControl=[dict(command="timeToNextAcq", argument=200.0),
                    dict(command="transferToHost", argument=0.0),
                    dict(command="timeToNextAcq", argument=9600.0)],
        Resource=dict(Parameters=dict(speedOfSound=C),
                      RcvBuffer=[dict(numFrames=3, lastFrame=1, rowsPerFrame=3 * rows + 12)]),
    ).items():
        file.value(file.file, name, value)
    file.close()
    return dict(first_samples=first_samples, angles=list(angles), amplitudes=[2000, 3000, 1000],
                frame_rate=100.0, lens_m=lens_mm * 1e-3)


def struct(entries):
    array = np.empty((1, len(entries)), dtype=[(key, object) for key in entries[0]])
    for i, entry in enumerate(entries):
        for key, value in entry.items():
            array[0, i][key] = value
    return array


def walking_v5():
    """Focused beams of 12 elements that walk, pairs of I and -Q, averaged twice; wavelengths."""
    count, active, pitch, lens = 32, 12, 0.3e-3, 0.5
    x = positions(count, pitch)
    rate, pairs = 10e6, 64  # rate of stored numbers: pairs come at half of it
    beams = np.arange(0, count - active + 1, 4)
    rows = 2 * pairs
    data = np.zeros((len(beams) * rows, count), np.int16)
    tx, receive, event, first_samples, sources = [], [], [], [], []
    focus = 8e-3
    for i, first in enumerate(beams):
        apodization = np.zeros(count)
        apodization[first : first + active] = 1
        origin = x[first : first + active].mean()
        path = -np.hypot(x - origin, focus)
        path -= path[apodization != 0].min()
        delays = np.where(apodization != 0, path, 0)
        ideal = np.hypot(origin, focus) - np.hypot(x - origin, focus)
        lead = np.median((path - ideal)[apodization != 0]) / C
        # Beyond the focus the wave spreads from it.
        wave = np.hypot(origin, focus) + np.hypot(TARGET[0] - origin, TARGET[1] - focus)
        back = np.hypot(x - TARGET[0], TARGET[1])
        t = 2 * START / F + np.arange(pairs)[:, None] * 2 / rate
        tau = lead + (wave + back)[None, :] / C + (PEAK + 2 * lens) / F
        echo = pulse(t - tau) * np.exp(-2j * np.pi * F * (t - t[0]))
        echo = np.round(3000 * echo * (apodization != 0)[None, :])
        data[i * rows : (i + 1) * rows : 2] = echo.real
        data[i * rows + 1 : (i + 1) * rows : 2] = -echo.imag
        tx.append(dict(waveform=1.0, Origin=np.array([[origin / WAVELENGTH, 0, 0]]),
                       focus=focus / WAVELENGTH, Steer=np.zeros((1, 2)),
                       Apod=apodization[None, :], Delay=delays[None, :] / WAVELENGTH))
        for mode in (0.0, 1.0):
            receive.append(dict(Apod=apodization[None, :], startDepth=START, endDepth=END,
                                mode=mode, bufnum=1.0, framenum=1.0, acqNum=i + 1.0,
                                sampleMode="BS100BW", decimSampleRate=20.0, quadDecim=2.0,
                                demodFrequency=5.0, startSample=i * rows + 1.0,
                                endSample=(i + 1.0) * rows))
            event.append(dict(info="", tx=i + 1.0, rcv=float(len(receive)), recon=0.0,
                              process=0.0, seqControl=0.0))
        first_samples.append(2 * START / F - lead - (PEAK + 2 * lens) / F)
        sources.append([origin, focus])
    places = np.zeros((count, 5))
    places[:, 0] = x / WAVELENGTH
    scipy.io.savemat("verasonics_walking_v5.mat", dict(
        RcvData=data,
        Trans=struct([dict(name="L-test", units="wavelengths", frequency=5.0, type=0.0,
                           ElementPos=places, elementWidth=0.8, lensCorrection=lens,
                           Connector=np.arange(1.0, count + 1)[:, None])]),
        TX=struct(tx), Receive=struct(receive), Event=struct(event),
        TW=struct([dict(type="parametric", Parameters=np.array([[5.0, 0.67, 2, 1]]), peak=PEAK)]),
        Resource=struct([dict(Parameters=struct([dict(speedOfSound=C)]))]),
    ), do_compression=True)
    return dict(first_samples=first_samples, sources=sources, first_elements=beams.tolist(),
                active=active)


truth = dict(target=list(TARGET), frames_v73=frames_v73(), walking_v5=walking_v5())
with open("verasonics.json", "w") as out:
    json.dump(truth, out, indent=1)
