// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a part of the pipeline for some of the lines.
#include "app/session/column/spectrum_probe.hpp"

#include "app/pipeline/sub_chain.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/preparation.hpp"
#include "gpu/oct/oct_params.hpp"

#include <algorithm>
#include <cstring>

namespace echolux {
namespace {

std::int64_t linesOf(const FrameSpec& raw) { return raw.count() / raw.axes.back().size; }

/// The number of first lines whose mean is the background; 0 where it is no mean, or the mean of
/// all lines.
std::int64_t linesOfBackground(const Snapshot& snapshot) {
    const StageState* background = snapshot.findWith<oct::BackgroundParams>();
    if (background == nullptr) return 0;
    const auto& values = background->params.as<oct::BackgroundParams>();
    return values.source == oct::BackgroundSource::FrameMean ? values.lines : 0;
}

} // namespace

std::optional<FrameSpec> frameOfLines(const FrameSpec& raw, std::int64_t lines) {
    if (raw.dtype == DType::Packed12 && raw.axes.back().size % 2 != 0) return std::nullopt;
    FrameSpec few = raw;
    few.axes = {{AxisName::Lateral, std::min(lines, linesOf(raw)), 1.0, 0.0, ""}, raw.axes.back()};
    return few;
}

void SpectrumProbe::plan(const SnapshotPtr& snapshot) {
    m_of = snapshot;
    m_usable = false;
    const FrameSpec raw = oneFrameOf(snapshot->input);
    const auto few = frameOfLines(raw, kLines);
    const StageState* spectrum = snapshot->findTap(Tap::Spectrum);
    if (spectrum == nullptr || !few) return;
    PipelineConfig config = chainTo(*snapshot, spectrum);
    config.recording = {}; // no ensemble

    const std::int64_t lines = few->axes.front().size;
    m_frameLines = linesOf(raw);
    m_lineBytes = bytesOf(raw.dtype, static_cast<std::size_t>(raw.axes.back().size));
    m_firstLines = std::min(linesOfBackground(*snapshot), lines - 1);
    m_lines.resize(m_lineBytes * static_cast<std::size_t>(lines));
    const Preparation preparation;
    try {
        m_runner.apply(instantiate(config, *few));
        const FrameSpec& spectra = m_runner.snapshot()->output();
        m_gridding =
            spectra.spectralGrid.points > 0 ? oct::griddingTable(spectra) : oct::GatherTable{};
        m_usable = true;
    } catch (const Error&) { // nothing can be shown
    }
}

std::vector<float> SpectrumProbe::remapped(const SnapshotPtr& snapshot, const std::byte* frame,
                                           std::int64_t line) {
    if (snapshot != m_of) plan(snapshot);
    if (!m_usable) return {};
    const std::int64_t few = std::min(kLines, m_frameLines);
    for (std::int64_t i = 0; i < few; ++i) {
        const std::int64_t from = i < m_firstLines    ? i
                                  : i == m_firstLines ? line
                                                      : i * m_frameLines / few;
        std::memcpy(m_lines.data() + static_cast<std::size_t>(i) * m_lineBytes,
                    frame + static_cast<std::size_t>(from) * m_lineBytes, m_lineBytes);
    }
    const int slot = m_runner.enqueue({.raw = m_lines.data()});
    const ConstTensorView output = m_runner.keptOutput(slot, m_runner.snapshot()->stages.back().id);
    const std::int64_t points = output.spec->axes.back().size;
    const float* values = output.as<float>() + m_firstLines * points;
    if (m_gridding.points > 0)
        return oct::onGrid(m_gridding, {values, static_cast<std::size_t>(points)});
    return {values, values + points};
}

} // namespace echolux
