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


def region(kind, box, units, steps, reference=None):
    """`box`: left, top, right, bottom. `units`: 3 cm, 4 s, 7 cm/s."""
    made = Dataset()
    made.RegionSpatialFormat, made.RegionDataType, made.RegionFlags = kind, 1, 0
    made.RegionLocationMinX0, made.RegionLocationMinY0, made.RegionLocationMaxX1, made.RegionLocationMaxY1 = box
    made.PhysicalUnitsXDirection, made.PhysicalUnitsYDirection = units
    made.PhysicalDeltaX, made.PhysicalDeltaY = steps
    if reference:
        made.ReferencePixelX0, made.ReferencePixelY0 = reference
        made.ReferencePixelPhysicalValueX = made.ReferencePixelPhysicalValueY = 0.0
    return made


# Tissue at 0.2 mm per pixel with a box of colours in it, tissue at 0.4 mm, and a spectrum. Times of frames one by one.
dual = cine(ExplicitVRLittleEndian, "MONOCHROME2", 1)
dual.PixelData = GREY.tobytes()
dual.SequenceOfUltrasoundRegions = [
    region(1, (0, 0, 11, 11), (3, 3), (0.02, 0.02), (6, 0)),
    region(1, (2, 2, 8, 8), (3, 3), (0.02, 0.02)),
    region(1, (12, 0, 23, 9), (3, 3), (0.04, 0.04), (6, 1)),
    region(3, (12, 10, 23, 15), (4, 7), (0.01, 2.0)),
]
del dual.FrameTime
dual.FrameIncrementPointer = 0x00181065
dual.FrameTimeVector = ["0", "19", "21"]
save(dual, "dicom_regions.dcm")

# Pixels in s, although a size in mm is given; frames come unevenly.
timed = cine(ExplicitVRLittleEndian, "MONOCHROME2", 1)
timed.PixelData = GREY.tobytes()
timed.SequenceOfUltrasoundRegions = [region(2, (0, 0, 23, 15), (4, 3), (0.01, 0.05))]
timed.PixelSpacing = ["0.3", "0.3"]
del timed.FrameTime
timed.FrameIncrementPointer = 0x00181065
timed.FrameTimeVector = ["0", "10", "30"]
save(timed, "dicom_m_mode.dcm")

# The grey of index i is 255 - i, as three colours; and colours that are not grey, of 8 bits, from index 16 on.
palette = cine(ExplicitVRLittleEndian, "PALETTE COLOR", 1)
palette.PixelData = GREY.tobytes()
for colour in ("Red", "Green", "Blue"):
    setattr(palette, colour + "PaletteColorLookupTableDescriptor", [256, 0, 16])
    setattr(palette, colour + "PaletteColorLookupTableData", ((255 - np.arange(256)) * 257).astype("<u2").tobytes())
save(palette, "dicom_palette.dcm")
for i, colour in enumerate(("Red", "Green", "Blue")):
    setattr(palette, colour + "PaletteColorLookupTableDescriptor", [200, 16, 8])
    setattr(palette, colour + "PaletteColorLookupTableData", ((np.arange(200) * (i + 1)) % 256).astype("u1").tobytes())
save(palette, "dicom_palette_colours.dcm")

# A picture across the patient: columns towards the left, rows towards the feet.
placed = cine(ExplicitVRLittleEndian, "MONOCHROME2", 1)
placed.PixelData = GREY.tobytes()
placed.ImagePositionPatient = ["-20", "15", "40"]
placed.ImageOrientationPatient = ["1", "0", "0", "0", "0", "-1"]
save(placed, "dicom_placed.dcm")
