// SPDX-License-Identifier: GPL-3.0-or-later
// Tells what kind of file it is from its content alone.
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
    Mat73, ///< HDF5 behind a MATLAB header
    Raw,   ///< headerless, or nothing that is known
};

/// Refuses a file that is empty or merely a git-LFS pointer.
void refuseWithoutData(const InputFile& file);

/// Also refuses files that are known and not readable (empty, git-LFS pointer, MAT level 4, images,
/// vibration data) with a sentence of their own.
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
