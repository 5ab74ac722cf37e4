# SPDX-License-Identifier: GPL-3.0-or-later
"""Echolux from Python: recordings of ultrasound channel data and OCT spectra, and pipelines that image them.

>>> import echolux
>>> with echolux.open("testdata/phantom_cine.echolux.h5") as recording:
...     pipeline = echolux.Pipeline(None, recording, backend="cpu")
...     images = [image.data for image in pipeline.stream(recording)]
>>> len(images), images[0].ndim
(32, 2)
"""
from ._calls import EcholuxError, call as _call
from .pipeline import Frame, GpuFrame, Parameter, Pipeline
from .recording import Recording, open, save
from .spec import Axis, Spec, Transmit

__version__ = _call("version")
__all__ = ["Axis", "EcholuxError", "Frame", "GpuFrame", "Parameter", "Pipeline", "Recording", "Spec", "Transmit",
           "allow_plugin", "gpu_count", "open", "save"]


def gpu_count() -> int:
    """Usable GPUs; 0 in a CPU build."""
    return _call("gpu_count")


def allow_plugin(path: str) -> None:
    """Lets pipelines load this plugin in this process."""
    _call("allow_plugin", path)
