# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of what files of stages do: calls that take too long, or too much memory, are ended by an exception.

Code that is not Python cannot be ended, nor code that goes on after every exception. Memory is that of the whole
process, looked at ten times a second.
"""
import ctypes
import os
import sys
import threading
import time

_calls = {}  # thread: its Call
_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_set_recursion_limit = sys.setrecursionlimit


class _TookTooMuch(BaseException):  # no Exception: functions catch those, and go on
    pass


class Call:
    """A call that is watched: its limits, and which of them it has exceeded, as a clause."""

    def __init__(self, seconds, memory):
        """`memory`: bytes by which the process may grow."""
        self.seconds, self.memory, self.exceeded = seconds, memory, ""
        self._end, self._before = time.monotonic() + seconds, None

    def run(self, function):
        """What the function returns. Raises what it raises, and where a limit was exceeded."""
        thread = threading.get_ident()
        former = _calls.get(thread)  # where a stage makes a pipeline
        _calls[thread] = self
        try:
            return function()
        finally:
            _calls.pop(thread, None)
            _raise_in(ctypes.c_ulong(thread), None)  # takes back what has not been raised yet
            if former is not None:
                _calls[thread] = former

    def check(self, before, resident):
        """`before` and `resident`: bytes of this process at the last two looks."""
        if self._before is None:
            self._before = before
        if resident - self._before > self.memory:
            self.exceeded = f"it took more than {self.memory / 2**30:.3g} GiB of memory"
        elif time.monotonic() > self._end:
            self.exceeded = f"it did not return within {self.seconds:g} s"


def allow_more(memory):
    """The call of this thread may take so many bytes more."""
    _calls[threading.get_ident()].memory += memory


def _watch():
    page, before = os.sysconf("SC_PAGE_SIZE"), None
    with open("/proc/self/statm") as sizes:
        while True:
            sizes.seek(0)
            resident = int(sizes.read().split()[1]) * page
            for thread, call in list(_calls.items()):
                call.check(resident if before is None else before, resident)
                place, error = ctypes.c_ulong(thread), ctypes.py_object(_TookTooMuch)
                if call.exceeded and _calls.get(thread) is call:
                    _raise_in(place, error)
            before = resident
            time.sleep(0.1)


def _start():
    threading.Thread(target=_watch, daemon=True).start()


def _keep_recursion_limit(limit):
    """In place of sys.setrecursionlimit: a stage leaves the limit as it is, which suits the stacks of threads."""
    if threading.get_ident() not in _calls:
        _set_recursion_limit(limit)


def begin():
    _start()
    os.register_at_fork(after_in_child=_start)
    sys.setrecursionlimit = _keep_recursion_limit
