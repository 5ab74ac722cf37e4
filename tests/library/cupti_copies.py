# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts what CUDA copies, from CUPTI's activity records. ECHOLUX_CUPTI names its library, or a libcupti.so is found."""
import collections
import ctypes
import os

MEMCPY = 1  # CUPTI_ACTIVITY_KIND_MEMCPY
KINDS = {1: "to GPU", 3: "to GPU", 2: "to host", 4: "to host"}  # CUpti_ActivityMemcpyKind; others stay on the GPU
BUFFER_BYTES = 1 << 20
FORCED = 1  # CUPTI_ACTIVITY_FLAG_FLUSH_FORCED


class _Record(ctypes.Structure):  # what all versions of the record begin with
    _fields_ = [("kind", ctypes.c_uint32), ("copy_kind", ctypes.c_uint8)]


class Copies:
    """`count()` gives what was copied since `start()`: a Counter of "to GPU", "to host", "on GPU"."""

    def __init__(self):
        """Raises OSError where there is no CUPTI."""
        named = os.environ.get("ECHOLUX_CUPTI")
        for name in [named] if named else ["libcupti.so", "libcupti.so.13", "libcupti.so.12"]:
            try:
                self._cupti = ctypes.CDLL(name)
                break
            except OSError as error:
                missing = error
        else:
            raise missing
        self._buffers, self._seen = {}, collections.Counter()
        pointer, size = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
        self._give = ctypes.CFUNCTYPE(None, pointer, size, size)(self._given)
        self._take = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_size_t,
                                      ctypes.c_size_t)(self._taken)
        self._call("cuptiActivityRegisterCallbacks", self._give, self._take)

    def _call(self, name, *arguments):
        result = getattr(self._cupti, name)(*arguments)
        if result:
            raise OSError(f"{name} gives the error {result}")

    def _given(self, buffer, size, most_records):
        memory = ctypes.create_string_buffer(BUFFER_BYTES + 8)
        address = (ctypes.addressof(memory) + 7) // 8 * 8
        self._buffers[address] = memory
        buffer[0], size[0], most_records[0] = address, BUFFER_BYTES, 0

    def _taken(self, context, stream, buffer, size, valid):
        record = ctypes.c_void_p()
        more = self._cupti.cuptiActivityGetNextRecord
        while more(ctypes.c_void_p(buffer), ctypes.c_size_t(valid), ctypes.byref(record)) == 0:
            seen = ctypes.cast(record, ctypes.POINTER(_Record)).contents
            if seen.kind == MEMCPY:
                self._seen[KINDS.get(seen.copy_kind, "on GPU")] += 1
        self._buffers.pop(buffer)

    def start(self):
        self._call("cuptiActivityEnable", MEMCPY)
        self._call("cuptiActivityFlushAll", FORCED)
        self._seen.clear()

    def count(self):
        """All work must have ended."""
        self._call("cuptiActivityFlushAll", FORCED)
        self._call("cuptiActivityDisable", MEMCPY)
        return self._seen
