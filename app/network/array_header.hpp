// SPDX-License-Identifier: GPL-3.0-or-later
// What stands before an array in a message: JSON with NumPy's name of the sample type and the
// shape; of images also the axes.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace echolux {

struct ArrayHeader {
    std::string dtype;               ///< "<f4", "<i2", "<c8", "|u1", ...
    std::vector<std::int64_t> shape; ///< the last axis is contiguous
    std::vector<Axis> axes;          ///< empty, or one for each axis of the shape
    std::int64_t number = -1;        ///< the sender's own; -1: it does not count
    std::int64_t timeNs = -1;        ///< since 1970; -1: unknown
    std::string content;             ///< RecordedForm by its name; empty: unknown

    std::size_t bytes() const; ///< of the array; 0 where type or shape are impossible
};

/// NumPy's name of a sample type, "<f4"; packed samples are "|u1", complex integers "<i2" with a
/// last axis of 2.
std::string numpyName(DType type);
ArrayHeader headerOf(const FrameSpec& frame);
std::string toJson(const ArrayHeader& header);
/// Throws Error where it is no such header.
ArrayHeader headerFrom(std::span<const std::byte> json);

} // namespace echolux
