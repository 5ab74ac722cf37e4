// SPDX-License-Identifier: GPL-3.0-or-later
// Counting samples that are no numbers; the look at a recording's first frame.
#include "app/dataset/finite_samples.hpp"

#include "app/dataset/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace echolux {

bool isFloatingPoint(DType type) { return type == DType::F32 || type == DType::ComplexF32; }

std::int64_t countNotFinite(DType type, std::span<const std::byte> samples) {
    if (!isFloatingPoint(type)) return 0;
    const std::span values(reinterpret_cast<const float*>(samples.data()),
                           samples.size() / sizeof(float));
    return std::ranges::count_if(values, [](float value) { return !std::isfinite(value); });
}

std::optional<std::string> notFiniteWarning(const RecordingInfo& info, std::int64_t index,
                                            std::span<const std::byte> samples) {
    const std::int64_t bad = countNotFinite(info.frame.dtype, samples);
    if (bad == 0) return std::nullopt;
    return fmt::format("{}: {} of {} values of frame {} (counted from 0) are not finite numbers; "
                       "pixels that they reach stay empty.",
                       info.path.filename().string(), bad, samples.size() / sizeof(float), index);
}

void Recording::inspectFirstFrame() {
    if (!isFloatingPoint(m_info.frame.dtype)) return;
    checkLoadSize(m_info.path, "one frame", m_info.frame.bytes());
    std::vector<std::byte> samples(m_info.frame.bytes());
    try {
        readFrame(0, samples);
    } catch (const Error&) {
        if (m_info.frameCount == 1) throw;
        return; // a damaged frame costs itself
    }
    const auto warning = notFiniteWarning(m_info, 0, samples);
    if (!warning) return;
    const auto values = static_cast<std::int64_t>(samples.size() / sizeof(float));
    if (countNotFinite(m_info.frame.dtype, samples) == values)
        throw fileError(m_info.path, "its first frame holds no finite number, only NaN or "
                                     "infinity; export the samples again");
    m_info.warnings.push_back(*warning);
    m_info.firstFrameFinite = false;
}

} // namespace echolux
