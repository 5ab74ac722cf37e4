// SPDX-License-Identifier: GPL-3.0-or-later
// Writes and reads probe, transmits and channels of a native recording.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "gpu/core/frame_spec.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

namespace echolux::native {

/// Returns a fact that the format requires. Throws Error where the recording at `path` lacks it.
template <class T>
T demand(const std::filesystem::path& path, std::optional<T> value, const char* name) {
    if (!value)
        throw fileError(path, fmt::format("'{}' is missing or of the wrong kind in this recording; "
                                          "it is damaged, record or copy it again",
                                          name));
    return std::move(*value);
}

/// Throws std::runtime_error where HDF5 fails.
Hdf5Handle createGroup(hid_t at, const char* name);
/// Empty where there is no such group.
std::optional<Hdf5Handle> openGroup(hid_t at, const char* name);

/// True where an older program would misread the acquisition: steering out of the x-z plane,
/// elements that are long lines, channels that are not elements.
bool needsArrayVersion(const Acquisition& acquisition);

/// Writes only known facts, so that the file of a plain recording does not change with newer
/// versions. Throws std::runtime_error where HDF5 fails.
void writeAcquisition(hid_t file, const FrameSpec& frame);

/// Sets the acquisition of `frame`, whose axes tell the numbers of channels and transmits. Throws
/// Error where a fact is missing.
void readAcquisition(hid_t file, FrameSpec& frame, const std::filesystem::path& path);

} // namespace echolux::native
