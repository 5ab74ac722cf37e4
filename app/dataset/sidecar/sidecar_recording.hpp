// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an array that a sidecar describes.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/dataset/sidecar/sidecar.hpp"

#include <memory>

namespace echolux {

/// `container` is null for headerless binary. `format` is the container's name for people.
std::unique_ptr<Recording> openDescribed(std::shared_ptr<const InputFile> file,
                                         std::shared_ptr<ArrayContainer> container,
                                         const Sidecar& sidecar, const std::string& format);

} // namespace echolux
