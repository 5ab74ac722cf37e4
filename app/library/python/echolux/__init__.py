# SPDX-License-Identifier: GPL-3.0-or-later
"""Echolux from Python: recordings of ultrasound channel data and OCT spectra, and pipelines that image them.

>>> import echolux
>>> with echolux.open("testdata/phantom_cine.echolux.h5") as recording:
...     pipeline = echolux.Pipeline(None, recording, backend="cpu")
...     images = pipeline.run(recording)
>>> images
<Frame image: float32 [frame 32] [depth 459] [lateral 253] in dB>
"""
from ._calls import EcholuxError, call as _call
from .build import Stage
from .frame import Frame, GpuFrame
from .parameters import Parameter
from .pipeline import Pipeline
from .recording import Recording, open, save
from .spec import Axis, Spec, Transmit

__version__: str = _call("version")
__all__ = ["Axis", "EcholuxError", "Frame", "GpuFrame", "Parameter", "Pipeline", "Recording", "Spec", "Stage", "Transmit",
           "allow_plugin", "gpu_count", "open", "save"]


def gpu_count() -> int:
    """Usable GPUs; 0 in a CPU build."""
    return int(_call("gpu_count"))


def allow_plugin(path: str) -> None:
    """Lets pipelines load this plugin in this process."""
    _call("allow_plugin", path)
