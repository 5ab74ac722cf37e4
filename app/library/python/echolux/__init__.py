# SPDX-License-Identifier: GPL-3.0-or-later
"""Echolux from Python: recordings of ultrasound channel data and OCT spectra, and pipelines that image them.

>>> import echolux
>>> with echolux.open("testdata/phantom_cine.echolux.h5") as recording:
...     pipeline = echolux.Pipeline(None, recording, backend="cpu")
...     images = pipeline.run(recording)
>>> images
<Frame image: float32 [frame 32] [depth 459] [lateral 253] in dB>
"""
from ._calls import EcholuxError, EcholuxWarning, call as _call
from .build import Stage
from .commands import calibrate, export, simulate
from .figures import Figure, Measured, Sweep, measure, sweep
from .frame import Frame, GpuFrame
from .parameters import Parameter
from .pipeline import Pipeline
from .recording import Recording, Stamps, open, save
from .spec import Axis, Pose, Spec, Transmit
from .window import Window, view

__version__: str = _call("version")
__all__ = ["Axis", "EcholuxError", "EcholuxWarning", "Figure", "Frame", "GpuFrame", "Measured", "Parameter", "Pipeline", "Pose", "Recording",
           "Spec", "Stage", "Stamps", "Sweep", "Transmit", "Window", "allow_plugin", "calibrate", "export", "gpu_count", "measure", "open",
           "save", "simulate", "sweep", "view"]


def gpu_count() -> int:
    """Usable GPUs; 0 in a CPU build."""
    return int(_call("gpu_count"))


def allow_plugin(path: str) -> None:
    """Loads this plugin: pipelines may use its stages, and Recording its readers."""
    _call("allow_plugin", path)
