# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes small ultrasound cines with pydicom into pictures/: grey uncompressed, colours with RLE, JPEG.

The grey of frame t at column x and row y is 3 x + 5 y + 40 t. Needs numpy, pillow, pydicom.
"""
import io
import pathlib

import numpy as np
import pydicom
from PIL import Image
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.uid import (ExplicitVRLittleEndian, JPEGBaseline8Bit, RLELossless,
                         UltrasoundMultiFrameImageStorage)

FOLDER = pathlib.Path(__file__).parent / "pictures"
FRAMES, ROWS, COLUMNS = 3, 16, 24
t, y, x = np.meshgrid(np.arange(FRAMES), np.arange(ROWS), np.arange(COLUMNS), indexing="ij")
GREY = (3 * x + 5 * y + 40 * t).astype(np.uint8)


def cine(syntax, model, per_pixel):
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = UltrasoundMultiFrameImageStorage
    meta.MediaStorageSOPInstanceUID = "1.2.3.4"
    meta.TransferSyntaxUID = syntax
    file = FileDataset(None, {}, file_meta=meta, preamble=b"\0" * 128)
    file.SOPClassUID, file.SOPInstanceUID = meta.MediaStorageSOPClassUID, "1.2.3.4"
    file.Modality = "US"
    file.PatientName = "Nobody^Shown"
    file.ManufacturerModelName = "Made here"
    file.NumberOfFrames, file.Rows, file.Columns = FRAMES, ROWS, COLUMNS
    file.SamplesPerPixel, file.PhotometricInterpretation = per_pixel, model
    file.BitsAllocated = file.BitsStored = 8
    file.HighBit, file.PixelRepresentation = 7, 0
    if per_pixel > 1:
        file.PlanarConfiguration = 0
    file.FrameTime = "25"
    region = Dataset()
    region.RegionSpatialFormat, region.RegionDataType, region.RegionFlags = 1, 1, 0
    region.RegionLocationMinX0, region.RegionLocationMinY0 = 4, 2
    region.RegionLocationMaxX1, region.RegionLocationMaxY1 = 20, 15
    region.PhysicalUnitsXDirection = region.PhysicalUnitsYDirection = 3
    region.PhysicalDeltaX, region.PhysicalDeltaY = 0.05, 0.02
    file.SequenceOfUltrasoundRegions = [region]
    return file


def save(file, name):
    file.save_as(FOLDER / name, enforce_file_format=True)


plain = cine(ExplicitVRLittleEndian, "MONOCHROME2", 1)
plain.PixelData = GREY.tobytes()
save(plain, "dicom_grey.dcm")

colours = cine(ExplicitVRLittleEndian, "RGB", 3)
colours.PixelData = np.stack([GREY] * 3, axis=-1).tobytes()
colours.compress(RLELossless, generate_instance_uid=False)
save(colours, "dicom_rle.dcm")

parts = []
for frame in GREY:
    stream = io.BytesIO()
    Image.fromarray(np.stack([frame] * 3, axis=-1)).save(stream, "JPEG", quality=95)
    parts.append(stream.getvalue())
jpeg = cine(JPEGBaseline8Bit, "YBR_FULL_422", 3)
jpeg.PixelData = encapsulate(parts)
jpeg["PixelData"].is_undefined_length = True
save(jpeg, "dicom_jpeg.dcm")
