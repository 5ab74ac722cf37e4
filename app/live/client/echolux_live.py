# SPDX-License-Identifier: GPL-3.0-or-later OR BSD-3-Clause
"""Raw frames in shared memory, from a scanner to Echolux (``echolux help live``). NumPy alone.

Writer: frames for ``echolux view --source shared:NAME``. Reader: frames that another writer, such
as ``echolux serve``, puts there. Linux, little-endian; x86-64, where stores are seen in order.
"""
import ctypes
import mmap
import os
import time

import numpy as np

_MAGIC = b"ECHOLIVE"
_PAGE = 4096
_SLOT_HEADER = 64
_HEADER = np.dtype({
    "names": ["magic", "version", "header_bytes", "total_bytes", "generation", "description_at",
              "description_bytes", "slots_at", "slot_count", "slot_bytes", "frame_bytes", "policy",
              "state", "writer_pid", "published", "writer_time_ns", "signal", "taken",
              "reader_time_ns", "reader_pid"],
    "formats": ["S8", "<u4", "<u4"] + ["<u8"] * 8 + ["<u4", "<u4"] + ["<u8"] * 3 + ["<u4"] +
               ["<u8"] * 3,
    "offsets": [0, 8, 12, 16, 24, 32, 40, 48, 56, 64, 72, 80, 84, 88, 128, 136, 144, 192, 200, 208],
    "itemsize": _PAGE})
_SLOT = np.dtype({"names": ["sequence", "number", "time_ns", "bytes", "placed", "position", "rotation"],
                  "formats": ["<u8", "<i8", "<i8", "<u8", "<u4", "3<f4", "4<f4"],
                  "offsets": [0, 8, 16, 24, 32, 36, 48], "itemsize": _SLOT_HEADER})
_FUTEX_WAKE = 1
_SYS_FUTEX = {"x86_64": 202, "aarch64": 98}.get(os.uname().machine)


def _up(size, step):
    return (size + step - 1) // step * step


def _path(name):
    if not name or "/" in name:
        raise ValueError("The name has at least one character and no slash.")
    return "/dev/shm/echolux-" + name


class _Memory:
    def _map(self, file, size):
        self._map_file = mmap.mmap(file, size)
        self._bytes = np.frombuffer(self._map_file, np.uint8)
        self._header = self._bytes[:_PAGE].view(_HEADER)[0:1]

    def _slot(self, frame):
        at = int(self._header["slots_at"][0]) + frame % int(self._header["slot_count"][0]) * int(
            self._header["slot_bytes"][0])
        return self._bytes[at:at + _SLOT_HEADER].view(_SLOT), at + _SLOT_HEADER

    @property
    def frame_bytes(self):
        return int(self._header["frame_bytes"][0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Writer(_Memory):
    """Makes the memory NAME, in place of a former one. `description`: a sidecar (text) or an Echolux
    recording of one frame (bytes). `blocks`: write() waits for the reader."""

    def __init__(self, name, frame_bytes, description, slots=16, blocks=False):
        if frame_bytes < 1 or slots < 2:
            raise ValueError("A frame has at least 1 byte, and slots are 2 or more.")
        text = description.encode() if isinstance(description, str) else bytes(description)
        slots_at = _PAGE + _up(len(text), _PAGE)
        slot_bytes = _SLOT_HEADER + _up(frame_bytes, 64)
        total = slots_at + slots * slot_bytes
        self._name = _path(name)
        if os.path.exists(self._name):
            os.unlink(self._name)
        file = os.open(self._name, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        try:
            os.posix_fallocate(file, 0, total)
            self._map(file, total)
        finally:
            os.close(file)
        header = self._header
        header["generation"] = 1
        for key, value in {"magic": _MAGIC, "version": 1, "header_bytes": _PAGE,
                           "total_bytes": total, "description_at": _PAGE,
                           "description_bytes": len(text), "slots_at": slots_at,
                           "slot_count": slots, "slot_bytes": slot_bytes,
                           "frame_bytes": frame_bytes, "policy": int(blocks), "state": 1,
                           "writer_pid": os.getpid()}.items():
            header[key] = value
        self._bytes[_PAGE:_PAGE + len(text)] = np.frombuffer(text, np.uint8)
        header["generation"] = 2
        self._next = 0
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._signal = ctypes.addressof(ctypes.c_uint32.from_buffer(self._map_file, 144))

    def _wake(self):
        self._header["signal"] += np.uint32(1)
        if _SYS_FUTEX is not None:
            self._libc.syscall(_SYS_FUTEX, ctypes.c_void_p(self._signal), _FUTEX_WAKE, 2**31 - 1,
                               None, None, 0)

    def _waits(self):
        seen = int(self._header["reader_time_ns"][0])
        needed = int(self._header["taken"][0]) + int(self._header["slot_count"][0])
        return seen and time.monotonic_ns() < seen + 10**9 and self._next >= needed

    def write(self, samples, number=None, time_ns=-1, position=None, rotation=None):
        """`samples`: an array of frame_bytes bytes. `number`: the scanner's own (0, 1, 2, ...). `time_ns`: its clock.
        `position` (x, y, z in m) and `rotation` (a unit quaternion w, x, y, z): where the frame lies, by a tracker."""
        data = np.ascontiguousarray(samples).view(np.uint8).reshape(-1)
        if data.size != self.frame_bytes:
            raise ValueError(f"A frame has {self.frame_bytes} bytes, and {data.size} came.")
        while self._header["policy"][0] and self._waits():
            time.sleep(2e-4)
        slot, at = self._slot(self._next)
        slot["sequence"] = 2 * self._next + 1
        self._bytes[at:at + data.size] = data
        slot["number"] = self._next if number is None else number
        slot["time_ns"] = time_ns
        slot["bytes"] = data.size
        slot["placed"] = int(position is not None and rotation is not None)
        if slot["placed"][0]:
            slot["position"], slot["rotation"] = position, rotation
        slot["sequence"] = 2 * self._next + 2
        self._next += 1
        self._header["writer_time_ns"] = time.monotonic_ns()
        self._header["published"] = self._next
        self._wake()

    def close(self):
        """Says that no frame will come, and removes the name."""
        if self._name is None:
            return
        self._header["state"] = 2
        self._wake()
        os.unlink(self._name)
        self._name = None


class Reader(_Memory):
    """Frames of the memory NAME. Iterating yields (number, bytes as an array), and ends with the
    writer. `lost`: frames that were overwritten before they were read. Where the writer lays the
    memory out anew in place, iterating goes on; frame_bytes and description are then the new ones."""

    def __init__(self, name):
        self._name = name
        self._attach()
        self._next = max(0, int(self._header["published"][0]) - 1)
        self.lost = 0

    def _attach(self):
        file = os.open(_path(self._name), os.O_RDWR)
        try:
            size = os.fstat(file).st_size
            if size < _PAGE:
                raise ValueError("The memory is not laid out yet.")
            self._map(file, size)
        finally:
            os.close(file)
        header = self._header
        while int(header["generation"][0]) % 2 == 1:
            time.sleep(2e-4)
        self._generation = int(header["generation"][0])
        if header["magic"][0] != _MAGIC or header["version"][0] != 1:
            raise ValueError("This is no memory of live frames of version 1.")
        end = int(header["slots_at"][0]) + int(header["slot_count"][0]) * int(
            header["slot_bytes"][0])
        if end > size or self.frame_bytes + _SLOT_HEADER > int(header["slot_bytes"][0]):
            raise ValueError("The slots lie outside the memory.")

    def _is_laid_out_anew(self):
        return int(self._header["generation"][0]) != self._generation

    @property
    def description(self):
        at = int(self._header["description_at"][0])
        return self._bytes[at:at + int(self._header["description_bytes"][0])].tobytes()

    def _tell(self):
        self._header["reader_pid"] = os.getpid()
        self._header["reader_time_ns"] = time.monotonic_ns()
        self._header["taken"] = self._next

    def __iter__(self):
        while True:
            if self._is_laid_out_anew():
                self._attach()
                self._next = 0
            count = int(self._header["slot_count"][0])
            self._tell()
            published = int(self._header["published"][0])
            if published < self._next:  # its writer counts anew
                self._next = 0
            if published == self._next:
                if self._header["state"][0] == 2:
                    return
                time.sleep(2e-4)
                continue
            if published > self._next + count:
                self.lost += published - count - self._next
                self._next = published - count
            slot, at = self._slot(self._next)
            complete = 2 * self._next + 2
            number = int(slot["number"][0])
            whole = slot["sequence"][0] == complete
            samples = self._bytes[at:at + self.frame_bytes].copy()
            whole = whole and slot["sequence"][0] == complete
            if self._is_laid_out_anew():
                continue
            self._next += 1
            if not whole:
                self.lost += 1
                continue
            yield number, samples

    def close(self):
        self._header["reader_time_ns"] = 0
