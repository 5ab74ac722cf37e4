// SPDX-License-Identifier: GPL-3.0-or-later
// Frames with one number per element, for estimates of aberration and filters: [lateral
// patch][channel], float. Also functions that the stages which make such frames share.
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"

#include <fmt/format.h>

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

/// Throws Error, a sentence, where the input of `stage` has no array.
inline const Probe& probeOf(const FrameSpec& input, const char* stage) {
    if (!input.acquisition || input.acquisition->probe.elements.empty()) {
        throw Error(fmt::format("Stage '{}' takes channel data that knows its array, but this "
                                "recording tells none.",
                                stage));
    }
    return input.acquisition->probe;
}

/// Copies constant values per element to an output that somebody reads.
inline void handOn(const Exec& exec, const TensorView& output, const ComputeTable<float>& from) {
    if (output.data != nullptr)
        copyWithin(exec, output.data, from.data(), from.host().size() * sizeof(float));
}

} // namespace echolux::aberration
