// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of lines.
#include "app/calibration/line_mean.hpp"

#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace echolux {
namespace {

/// A chain that leaves codes unchanged, neither shifted nor scaled.
SnapshotPtr codesOf(FrameSpec raw) {
    raw.codeOffset = 0.0;
    raw.codeScale = 1.0;
    PipelineConfig config;
    config.name = "codes";
    const std::string& values = stageTypeWith<oct::SpectrumToFloatParams>().id;
    config.stages = {{values, values, false, {{"shift", std::int64_t{0}}}}};
    return instantiate(config, raw);
}

} // namespace

LineMean::LineMean(const FrameSpec& raw)
    : m_toCodes(codesOf(raw)), m_runner(Backend::Cpu, 1),
      m_raw(stagingMemory(Backend::Cpu), raw.bytes()),
      m_codes(stagingMemory(Backend::Cpu), m_toCodes->output().bytes()),
      m_sum(static_cast<std::size_t>(raw.axes.back().size), 0.0) {
    m_runner.apply(m_toCodes, {m_toCodes->stages.back().id});
}

void LineMean::add(std::span<const std::byte> frame, std::int64_t most) {
    if (frame.size() != m_raw.bytes())
        throw Error(fmt::format("A frame of {} bytes was given, but the recording's frames have "
                                "{}; give whole frames.",
                                frame.size(), m_raw.bytes()));
    std::memcpy(m_raw.data(), frame.data(), frame.size());
    const int slot = m_runner.enqueue({.raw = m_raw.as<std::byte>()});
    const ConstTensorView codes = m_runner.keptOutput(slot, m_toCodes->stages.back().id);
    download(m_runner.exec(slot), m_codes.data(), codes.data, m_codes.bytes());
    m_runner.drain();
    const std::size_t samples = m_sum.size();
    const std::size_t all = m_codes.bytes() / sizeof(float) / samples;
    const std::size_t lines =
        std::min(all, static_cast<std::size_t>(std::max(most, std::int64_t{0})));
    for (std::size_t line = 0; line < lines; ++line)
        for (std::size_t i = 0; i < samples; ++i)
            m_sum[i] += m_codes.as<float>()[line * samples + i];
    m_lines += static_cast<std::int64_t>(lines);
}

std::vector<float> LineMean::mean() const {
    if (m_lines == 0) throw Error("No frame was chosen to take the background from; add one.");
    std::vector<float> result;
    for (const double sum : m_sum)
        result.push_back(static_cast<float>(sum / static_cast<double>(m_lines)));
    const auto bad = std::ranges::find_if_not(result, [](float v) { return std::isfinite(v); });
    if (bad != result.end())
        throw Error(fmt::format("The background was not captured: sample {} of the lines holds "
                                "values that are not numbers; choose another frame.",
                                bad - result.begin()));
    const auto [low, high] = std::ranges::minmax(result);
    if (low == high)
        throw Error(fmt::format("The background was not captured: the lines' mean is {} "
                                "everywhere, so that it shows no light; choose another frame.",
                                low));
    return result;
}

} // namespace echolux
