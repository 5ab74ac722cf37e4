// SPDX-License-Identifier: GPL-3.0-or-later
// Detects the kind of a file from its content only.
#pragma once

#include "app/dataset/recording/input_file.hpp"

#include <string_view>

namespace echolux {

class Hdf5File;

enum class FileKind {
    Npy,
    Zip,
    Hdf5,
    Mat5,
    Mat73, ///< HDF5 after a MATLAB header
    Raw,   ///< headerless, or unknown
};

/// Throws Error where the file is empty or only a git-LFS pointer.
void refuseWithoutData(const InputFile& file);

/// Throws Error with a sentence of its own for each known kind that cannot be read: empty files,
/// git-LFS pointers, MAT level 4, images, vibration data, pickles, tar archives.
FileKind detectKind(const InputFile& file);

enum class Hdf5Kind {
    Matlab, ///< MATLAB variables
    Zea,
    Picmus,
    UffTaskForce,
    Ustb,
    Pybf,
    Unknown,
};
Hdf5Kind detectTree(const Hdf5File& file);
std::string_view nameOf(Hdf5Kind kind); ///< for people

} // namespace echolux
