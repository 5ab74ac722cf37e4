// SPDX-License-Identifier: GPL-3.0-or-later
// Gives an array other axes, or takes a part of it.
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

/// The same elements in the same order. `source` must be row-major and have as many elements as
/// `shape`.
std::unique_ptr<ArraySource> reshaped(std::unique_ptr<ArraySource> source,
                                      std::vector<std::int64_t> shape,
                                      std::optional<KeptAxis> kept);

/// The elements at `index` of the last axis, without that axis. `source` must be row-major.
std::unique_ptr<ArraySource> atLast(std::unique_ptr<ArraySource> source, std::size_t index);

} // namespace echolux
