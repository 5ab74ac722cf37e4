// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy's .npz: a ZIP archive of .npy members.
#pragma once

#include "app/dataset/container/archive.hpp"
#include "app/dataset/container/array_source.hpp"

#include <memory>

namespace echolux {

/// Names of arrays are those of NumPy, without ".npy". Throws where the archive is damaged or
/// contains something else.
std::unique_ptr<ArrayContainer> openNpz(std::shared_ptr<Archive> archive);
std::unique_ptr<ArrayContainer> openNpz(const std::filesystem::path& path);

} // namespace echolux
