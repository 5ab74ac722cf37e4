// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/column/iq_probe.hpp"

#include "app/pipeline/sub_chain.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/preparation.hpp"

#include <cstring>
#include <memory>
#include <utility>

namespace echolux {
namespace {

bool hasSingleLines(const FrameSpec& spec) {
    return spec.axes.size() == 3 && spec.find(AxisName::Transmit) != nullptr &&
           spec.find(AxisName::Channel) != nullptr && spec.axes.back().name == AxisName::Sample;
}

/// The last active stage with complex channel data as output; null: none.
const StageState* lastComplex(const Snapshot& snapshot) {
    const FrameSpec& raw = snapshot.input;
    const StageState* last = nullptr;
    for (const StageState& stage : snapshot.stages) {
        const FrameSpec& output = stage.plan.outputs.front();
        if (stage.bypass || !hasSingleLines(output) || !isComplex(output.dtype)) continue;
        const bool asRecorded = isComplex(raw.dtype) &&
                                output.samplingFrequencyHz() == raw.samplingFrequencyHz() &&
                                output.demodulationFrequencyHz == raw.demodulationFrequencyHz;
        if (!asRecorded) last = &stage;
    }
    return last;
}

/// A frame of one transmit and one channel.
FrameSpec lineOf(const FrameSpec& raw, std::int64_t transmit, std::int64_t channel) {
    FrameSpec line = raw;
    for (Axis& axis : line.axes)
        if (axis.name != AxisName::Sample) axis.size = 1;
    const Acquisition& all = *raw.acquisition;
    const auto number =
        static_cast<std::size_t>(transmit * raw.sizeOf(AxisName::Channel) + channel);
    const std::int64_t heard =
        all.receiveElements.empty() ? channel : std::int64_t{all.receiveElements[number]};
    Acquisition one = all;
    one.transmits = {all.transmits[static_cast<std::size_t>(transmit)]};
    one.transmits.front().apodization.clear();
    one.receiveWeights.clear();
    one.receiveElements.clear();
    one.rangeWeights = {};
    one.probe.elements = {all.probe.elements[static_cast<std::size_t>(heard < 0 ? 0 : heard)]};
    one.probe.normals.clear();
    one.probe.longAxes.clear();
    line.acquisition = std::make_shared<const Acquisition>(std::move(one));
    return line;
}

} // namespace

void IqProbe::plan(const SnapshotPtr& snapshot, std::int64_t transmit, std::int64_t channel) {
    m_of = snapshot;
    m_transmit = transmit;
    m_channel = channel;
    m_usable = false;
    const FrameSpec& raw = snapshot->input;
    const StageState* stage = lastComplex(*snapshot);
    const std::int64_t samples = raw.axes.back().size;
    // NOTE: packed lines of an odd number of samples begin in the middle of a byte.
    if (stage == nullptr || !hasSingleLines(raw) || raw.acquisition == nullptr ||
        (raw.dtype == DType::Packed12 && samples % 2 != 0))
        return;
    const Preparation preparation;
    try {
        m_runner.apply(instantiate(chainTo(*snapshot, stage), lineOf(raw, transmit, channel)));
        m_line.resize(bytesOf(raw.dtype, static_cast<std::size_t>(samples)));
        const std::int64_t made = m_runner.snapshot()->output().axes.back().size;
        if (!m_spectrum || m_spectrum->bins() != fastFftLength(made)) m_spectrum.emplace(made);
        m_usable = isComplex(m_runner.snapshot()->output().dtype);
    } catch (const Error&) { // nothing can be shown
    }
}

std::optional<IqSpectrum> IqProbe::spectrum(const SnapshotPtr& snapshot, const std::byte* frame,
                                            std::int64_t transmit, std::int64_t channel) {
    if (snapshot != m_of || transmit != m_transmit || channel != m_channel)
        plan(snapshot, transmit, channel);
    if (!m_usable) return std::nullopt;
    const auto number =
        static_cast<std::size_t>(transmit * snapshot->input.sizeOf(AxisName::Channel) + channel);
    std::memcpy(m_line.data(), frame + number * m_line.size(), m_line.size());
    const int slot = m_runner.enqueue({.raw = m_line.data()});
    const std::string& stage = m_runner.snapshot()->stages.back().id;
    const ConstTensorView output = m_runner.keptOutput(slot, stage);
    const auto samples = static_cast<std::size_t>(output.spec->axes.back().size);
    IqSpectrum spectrum;
    spectrum.stage = stage;
    spectrum.levelDb = m_spectrum->levelsDb({output.as<Complex>(), samples}, true);
    const auto bins = m_spectrum->bins();
    spectrum.stepHz = output.spec->samplingFrequencyHz() / static_cast<double>(bins);
    const auto negative = bins / 2; // bins below 0 Hz
    spectrum.startHz = -static_cast<double>(negative) * spectrum.stepHz;
    spectrum.demodulationHz = output.spec->demodulationFrequencyHz;
    return spectrum;
}

} // namespace echolux
