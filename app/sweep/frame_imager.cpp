// SPDX-License-Identifier: GPL-3.0-or-later
// One runner for all frames and all values of a parameter.
#include "app/sweep/frame_imager.hpp"

#include "app/pipeline/view_number.hpp"
#include "app/session/uncompressed.hpp"
#include "gpu/core/error.hpp"
#include "gpu/exec/device_api.hpp"
#include "gpu/memory/transfer.hpp"

#include <complex>
#include <memory>
#include <string>
#include <vector>

namespace echolux {
namespace {

Backend selected(const BackendChoice& place) {
    if (place.backend == Backend::Cuda) device::select(place.gpu);
    return place.backend;
}

} // namespace

FrameImager::FrameImager(const BackendChoice& place, const Snapshot& snapshot,
                         const std::string& view, bool phasors)
    : m_view(view.empty() ? 0 : viewNumber(snapshot, view)), m_phasors(phasors),
      m_runner(selected(place), 1) {}

bool FrameImager::isOverTime(const Snapshot& snapshot) const {
    return snapshot.outputOf(snapshot.views[m_view].source).find(AxisName::SlowTime) != nullptr;
}

measure::MeasuredImage FrameImager::image(const SnapshotPtr& snapshot,
                                          std::span<const std::byte> raw, std::int64_t frame,
                                          bool continues) {
    if (raw.size() != snapshot->input.bytes())
        throw Error("At this value the pipeline takes another number of frames together; measure "
                    "such values with 'echolux measure'.");
    const auto before = stageBeforeLevels(*snapshot, m_view);
    const auto complex = m_phasors ? stageWithPhasors(*snapshot, m_view) : std::nullopt;
    const auto behind = linesBehind(*snapshot, m_view);
    std::vector<std::string> kept;
    for (const auto* stage : {&before, &complex})
        if (*stage) kept.push_back(**stage);
    if (behind) kept.push_back(behind->lines);
    if (behind && behind->amplitudes) kept.push_back(*behind->amplitudes);
    if (m_runner.snapshot() != snapshot) m_runner.apply(snapshot, kept);
    if (!continues) m_runner.reset();
    const int slot = m_runner.enqueue({.raw = raw.data(), .frame = frame});
    const ConstTensorView view = m_runner.viewOutput(slot, m_view);
    std::vector<float> values(static_cast<std::size_t>(view.spec->count()));
    std::vector<float> amplitudes(before ? values.size() : 0);
    std::vector<std::complex<float>> phasors(complex ? values.size() : 0);
    std::vector<float> lines(behind ? static_cast<std::size_t>(behind->spec.count()) : 0);
    std::vector<float> lineAmplitudes(behind && behind->amplitudes ? lines.size() : 0);
    const auto take = [&](const std::string& stage, void* host) {
        const ConstTensorView output = m_runner.keptOutput(slot, stage);
        download(m_runner.exec(slot), host, output.data, output.spec->bytes());
    };
    download(m_runner.exec(slot), values.data(), view.data, view.spec->bytes());
    if (before) take(*before, amplitudes.data());
    if (complex) take(*complex, phasors.data());
    if (behind) take(behind->lines, lines.data());
    if (behind && behind->amplitudes) take(*behind->amplitudes, lineAmplitudes.data());
    m_runner.wait(slot);
    m_runner.drain();
    restoreLevels(values, amplitudes);
    auto image = measure::MeasuredImage::of(*view.spec, values, phasors);
    if (!behind) return image;
    restoreLevels(lines, lineAmplitudes);
    image.lines = std::make_shared<const measure::MeasuredImage>(
        measure::MeasuredImage::ofLines(behind->spec, lines));
    return image;
}

} // namespace echolux
