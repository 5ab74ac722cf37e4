// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrometer of recorded spectra, and how their B-scans make up volumes.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "gpu/core/frame_spec.hpp"

#include <filesystem>

namespace echolux::native {

void writeSpectrometer(hid_t file, const FrameSpec& frame);
void readSpectrometer(const Hdf5Handle& at, FrameSpec& frame, const std::filesystem::path& path);

} // namespace echolux::native
