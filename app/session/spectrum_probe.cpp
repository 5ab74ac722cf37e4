// SPDX-License-Identifier: GPL-3.0-or-later
// A part of the pipeline for a part of the lines.
#include "app/session/spectrum_probe.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cstring>

namespace echolux {
namespace {

std::int64_t linesOf(const FrameSpec& raw) { return raw.count() / raw.axes.back().size; }

/// Packed lines of an odd number of samples begin within a byte.
bool beginsWithinBytes(const FrameSpec& raw) {
    return raw.dtype == DType::Packed12 && raw.axes.back().size % 2 != 0;
}

} // namespace

void SpectrumProbe::plan(const SnapshotPtr& snapshot) {
    m_of = snapshot;
    m_usable = false;
    const FrameSpec& raw = snapshot->input;
    PipelineConfig config = toFullConfig(*snapshot);
    const auto last =
        std::find_if(config.stages.rbegin(), config.stages.rend(), [](const StageConfig& stage) {
            return stage.type == "k_linearize" && !stage.bypass;
        });
    if (last == config.stages.rend() || beginsWithinBytes(raw)) return;
    config.stages.erase(last.base(), config.stages.end());

    FrameSpec few = raw;
    const std::int64_t lines = std::min(kLines, linesOf(raw));
    few.axes = {{AxisName::Lateral, lines, 1.0, 0.0, ""}, raw.axes.back()};
    m_lineBytes = bytesOf(raw.dtype, static_cast<std::size_t>(raw.axes.back().size));
    m_lines.resize(m_lineBytes * static_cast<std::size_t>(lines));
    try {
        m_runner.apply(instantiate(config, few));
        m_usable = true;
    } catch (const Error&) { // there is nothing to show
    }
}

std::vector<float> SpectrumProbe::remapped(const SnapshotPtr& snapshot, const std::byte* frame,
                                           std::int64_t line) {
    if (snapshot != m_of) plan(snapshot);
    if (!m_usable) return {};
    const std::int64_t all = linesOf(snapshot->input);
    const std::int64_t few = std::min(kLines, all);
    for (std::int64_t i = 0; i < few; ++i) {
        const std::int64_t from = i == 0 ? line : i * all / few;
        std::memcpy(m_lines.data() + static_cast<std::size_t>(i) * m_lineBytes,
                    frame + static_cast<std::size_t>(from) * m_lineBytes, m_lineBytes);
    }
    const int slot = m_runner.enqueue({m_lines.data(), nullptr, nullptr});
    const ConstTensorView output = m_runner.keptOutput(slot, m_runner.snapshot()->stages.back().id);
    const auto* values = output.as<float>();
    return {values, values + output.spec->axes.back().size};
}

} // namespace echolux
