# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes small volumes that lie obliquely, with other software, into poses/.

One voxel is bright. truth.json says where it lies, by the same software: mm towards left, back and head.
Needs numpy, nibabel, pynrrd, SimpleITK.
"""
import json
import pathlib

import nibabel
import nrrd
import numpy as np
import SimpleITK as sitk

FOLDER = pathlib.Path(__file__).parent / "poses"
FOLDER.mkdir(exist_ok=True)
BRIGHT = (2, 3, 1)  # along the first, second, third axis of 4 x 5 x 3 voxels
SPACING = np.array([0.2, 0.3, 0.5])
TRUTH = {}


def turned(first, second):
    """About z by `first` degrees, then about x by `second`."""
    a, b = np.radians([first, second])
    about_z = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    return about_x @ about_z


voxels = np.zeros((4, 5, 3), np.int16)
voxels[BRIGHT] = 1000


def by_nibabel(name, directions, sform, qform):
    affine = np.eye(4)
    affine[:3, :3] = directions * SPACING
    affine[:3, 3] = (11.0, -7.0, 3.0)
    image = nibabel.Nifti1Image(voxels, affine)
    image.set_sform(affine, sform)
    image.set_qform(affine if qform else None, qform)
    image.header.set_xyzt_units("mm", "sec")
    nibabel.save(image, FOLDER / name)
    x, y, z = (nibabel.load(FOLDER / name).affine @ [*BRIGHT, 1.0])[:3]
    TRUTH[name] = [-x, -y, z]


by_nibabel("nibabel_sform.nii", turned(30, 20) * [-1, 1, 1], 1, 0)
by_nibabel("nibabel_qform.nii", turned(-50, 35), 0, 1)
by_nibabel("nibabel_qform_mirrored.nii", turned(160, -70) * [1, 1, -1], 0, 1)
by_nibabel("nibabel_sheared.nii", turned(30, 20) @ np.array([[1, 0.6, 0], [0, 0.8, 0], [0, 0, 1]]), 2, 0)

for name in ("itk.mha", "itk.nrrd", "itk.nii.gz"):
    image = sitk.GetImageFromArray(voxels.transpose(2, 1, 0))
    image.SetSpacing(SPACING)
    image.SetOrigin((-4.0, 5.5, 60.0))
    image.SetDirection((turned(75, -40) * [1, -1, 1]).ravel())
    sitk.WriteImage(image, str(FOLDER / name))
    TRUTH[name] = list(sitk.ReadImage(str(FOLDER / name)).TransformIndexToPhysicalPoint(BRIGHT))

for name, space, signs in (("pynrrd_ras.nrrd", "right-anterior-superior", (-1, -1, 1)),
                           ("pynrrd_las.nrrd", "left-anterior-superior", (1, -1, 1)),
                           ("pynrrd_scanner.nrrd", "scanner-xyz", (1, 1, 1))):
    steps = (turned(12, 25) * SPACING).T
    origin = np.array([1.0, 2.0, 3.0])
    nrrd.write(str(FOLDER / name), voxels, {"space": space, "space directions": steps, "space origin": origin,
                                            "space units": ["mm"] * 3, "encoding": "raw"})
    head = nrrd.read_header(str(FOLDER / name))
    place = head["space origin"] + np.array(BRIGHT) @ head["space directions"]
    TRUTH[name] = list(place * signs)

(FOLDER / "truth.json").write_text(json.dumps({"bright": BRIGHT, "places": TRUTH}, indent=1) + "\n")
