# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes small files of images and volumes into pictures/, with other software.

The sample at (x, y, z, t) is x + 10 y + 100 z + 1000 t. x is lateral, y depth, z elevation.
Needs numpy, SimpleITK, nibabel, tifffile (with imagecodecs), pynrrd.
"""
import pathlib

import nibabel
import nrrd
import numpy as np
import SimpleITK as sitk
import tifffile

FOLDER = pathlib.Path(__file__).parent / "pictures"
FOLDER.mkdir(exist_ok=True)


def samples(nx, ny, nz=1, nt=1, dtype=np.int16):
    t, z, y, x = np.meshgrid(*(np.arange(n) for n in (nt, nz, ny, nx)), indexing="ij")
    return (x + 10 * y + 100 * z + 1000 * t).astype(dtype)


def with_itk(name, array, spacing, origin, compress):
    image = sitk.GetImageFromArray(array)
    image.SetSpacing(spacing)
    image.SetOrigin(origin)
    sitk.WriteImage(image, str(FOLDER / name), useCompression=compress)


flat = samples(6, 5)[0, 0].astype(np.float32)
volume = samples(6, 5, 4)[0]
for name, compress in (("itk_flat.mha", False), ("itk_flat.nrrd", False), ("itk_flat.nii", False)):
    with_itk(name, flat, (0.2, 0.1), (-0.5, 3.0), compress)
for name in ("itk_volume.mhd", "itk_volume.nrrd", "itk_volume.nii.gz"):
    with_itk(name, volume, (0.2, 0.1, 0.4), (-0.5, 3.0, -0.6), True)

# Values of 2 code + 5; steps of 0.25, 0.5, 1 mm and 20 ms.
cine = np.transpose(samples(6, 5, 1, 3)[:, 0], (2, 1, 0)).reshape(6, 5, 1, 3)
affine = np.diag([0.25, 0.5, 1.0, 1.0])
affine[:3, 3] = (-1.0, 2.0, 0.0)
header = nibabel.Nifti1Header(endianness=">")
header.set_data_dtype(np.dtype(">i2"))
image = nibabel.Nifti1Image(cine.astype(">i2"), affine, header)
image.header.set_xyzt_units("mm", "msec")
image.header.set_zooms((0.25, 0.5, 1.0, 20.0))
image.header.set_slope_inter(2.0, 5.0)
nibabel.save(image, FOLDER / "nibabel_cine.nii")

nrrd.write(
    str(FOLDER / "pynrrd_big.nrrd"),
    np.transpose(volume.astype(">i2"), (2, 1, 0)),
    {"encoding": "raw", "spacings": [200.0, 100.0, 400.0], "units": ["um", "um", "um"]},
    index_order="F",
)

series = samples(6, 5, 4, 3, np.uint16)
tifffile.imwrite(
    FOLDER / "ome_volumes.ome.tif",
    series[:, :, None],
    metadata={
        "axes": "TZCYX",
        "PhysicalSizeX": 200.0, "PhysicalSizeXUnit": "µm",
        "PhysicalSizeY": 0.1, "PhysicalSizeYUnit": "mm",
        "PhysicalSizeZ": 400.0, "PhysicalSizeZUnit": "µm",
        "TimeIncrement": 0.02, "TimeIncrementUnit": "s",
    },
    compression="zlib",
    predictor=True,
)
tifffile.imwrite(
    FOLDER / "imagej.tif",
    series[0],
    imagej=True,
    resolution=(5.0, 10.0),
    metadata={"axes": "ZYX", "spacing": 0.4, "unit": "mm"},
)
tifffile.imwrite(
    FOLDER / "imagej_time.tif",
    series[:, 0],
    imagej=True,
    metadata={"axes": "TYX", "finterval": 400, "tunit": "msec"},
)
tifffile.imwrite(FOLDER / "big_endian_pages.tif", series[:, 0], byteorder=">",
                 photometric="minisblack", metadata=None)
colours = np.stack([samples(40, 35)[0, 0] % 256] * 3, axis=-1).astype(np.uint8)
tifffile.imwrite(FOLDER / "tiles_rgb.tif", colours, tile=(16, 16), compression="lzw",
                 photometric="rgb", metadata=None)
tifffile.imwrite(FOLDER / "bigtiff.tif", flat, bigtiff=True, metadata=None,
                 resolution=(50.0, 100.0), resolutionunit="CENTIMETER")
