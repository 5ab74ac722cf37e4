// SPDX-License-Identifier: GPL-3.0-or-later
// Gives an array other axes. The elements and their order stay the same.
#pragma once

#include "app/dataset/container/array_source.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// An axis that is the same before and after, so the array can be read index by index along it.
struct KeptAxis {
    std::size_t before = 0;
    std::size_t after = 0;
};

/// `source` must be row-major and have as many elements as `shape`.
std::unique_ptr<ArraySource> reshaped(std::unique_ptr<ArraySource> source,
                                      std::vector<std::int64_t> shape,
                                      std::optional<KeptAxis> kept);

} // namespace echolux
