// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of one number per element, as estimates of aberration and filters are: [lateral
// patch][channel], float.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <cstdint>

namespace echolux::aberration {

inline FrameSpec perElement(std::int64_t patches, std::int64_t elements, ValueRange range) {
    FrameSpec spec;
    spec.dtype = DType::F32;
    spec.axes = {{AxisName::Lateral, patches, 1.0, 0.0, ""},
                 {AxisName::Channel, elements, 1.0, 0.0, ""}};
    spec.valueRange = range;
    return spec;
}

inline FrameSpec delaysPerElement(std::int64_t patches, std::int64_t elements) {
    return perElement(patches, elements, {-200e-9, 200e-9, "s", ""});
}

inline FrameSpec amplitudesPerElement(std::int64_t patches, std::int64_t elements) {
    return perElement(patches, elements, {0.0, 2.0, "", ""});
}

inline bool isPerElement(const FrameSpec& spec, std::int64_t elements) {
    return spec.dtype == DType::F32 && spec.axes.size() == 2 &&
           spec.axes[0].name == AxisName::Lateral && spec.axes[1].name == AxisName::Channel &&
           spec.axes[1].size == elements;
}

} // namespace echolux::aberration
