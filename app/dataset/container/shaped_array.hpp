// SPDX-License-Identifier: GPL-3.0-or-later
// The same elements in the same order, under other axes.
#pragma once

#include "app/dataset/container/array_source.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// One axis that counts the same before and after, all other elements staying in their order, so
/// that it can be read index by index.
struct KeptAxis {
    std::size_t before = 0;
    std::size_t after = 0;
};

/// `source` must be row-major and hold as many elements as `shape` names.
std::unique_ptr<ArraySource> reshaped(std::unique_ptr<ArraySource> source,
                                      std::vector<std::int64_t> shape,
                                      std::optional<KeptAxis> kept);

} // namespace echolux
