// SPDX-License-Identifier: GPL-3.0-or-later
// An array whose samples are stored backwards along some of its axes.
#pragma once

#include "app/dataset/container/array_source.hpp"

#include <memory>
#include <vector>

namespace echolux {

class ReversedArray : public ArraySource {
public:
    /// `axes` are indices of `stored`, whose last axis is contiguous.
    ReversedArray(std::unique_ptr<ArraySource> stored, std::vector<std::size_t> axes);
    bool canSlice(std::size_t axis) const override { return m_stored->canSlice(axis); }
    void read(std::span<std::byte> out) override;
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override;

private:
    std::unique_ptr<ArraySource> m_stored;
    std::vector<std::size_t> m_axes;
};

} // namespace echolux
