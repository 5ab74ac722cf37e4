// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/aberration/channel_shift.hpp"

#include "gpu/beamform/beamform_formula.hpp"
#include "gpu/beamform/beamform_reading.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/exec/for_each.hpp"

#include <cmath>

namespace echolux::aberration {
namespace {

constexpr int kTaps = 10;

template <class Sample> struct ShiftChannels {
    das::LineReading reading;
    const Sample* in;
    ElementShifts of;
    const std::int32_t* receiver; ///< [transmit][channel] element, -1: none
    const std::int32_t* sender;   ///< [transmit] element that fired alone; -1: no correction
    Sample* out;
    std::int64_t lines; ///< of a frame
    std::int64_t channels;
    std::int64_t elements;
    float samplingHz;
    float demodulationHz;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        const std::int64_t record = line % lines; // of the frame
        const std::int64_t patch = line / lines;
        float delay = 0.0F;
        float gain = 1.0F;
        add(patch, receiver[record], delay, gain);
        add(patch, sender[record / channels], delay, gain);
        const float at = std::fma(delay, samplingHz, static_cast<float>(n));
        const Sample* samples = in + record * reading.samples;
        // Without a delay the sample stays exactly as it is.
        const Sample value =
            delay == 0.0F
                ? samples[n]
                : das::interpolate<Sample, DelayInterpolation::LeastSquares>(reading, samples, at);
        out[line * reading.samples + n] =
            gain * das::turned(value, das::unitPhasor(delay * demodulationHz));
    }

    ECHOLUX_HD void add(std::int64_t patch, std::int32_t element, float& delay, float& gain) const {
        if (element < 0) return;
        constexpr float kFaintest = 0.1F; // limits the gain of Equalised to 20 dB
        constexpr float kLatestS = 1e-5F; // a longer delay is no estimate
        const float own = of.strength * of.delayS[patch * elements + element];
        const float size = of.amplitude[patch * elements + element];
        if (!(std::fabs(own) < kLatestS) || !(size > 0.0F)) return;
        delay += own;
        float weight = 1.0F;
        if (of.weights == Weights::Matched) weight = size;
        if (of.weights == Weights::Equalised) weight = 1.0F / (size > kFaintest ? size : kFaintest);
        gain *= std::fma(of.strength, weight - 1.0F, 1.0F);
    }
};

std::vector<std::int32_t> receiversOf(const FrameSpec& input) {
    const Acquisition& acquisition = *input.acquisition;
    if (!acquisition.receiveElements.empty()) return acquisition.receiveElements;
    const auto channels = static_cast<std::size_t>(input.sizeOf(AxisName::Channel));
    std::vector<std::int32_t> elements(acquisition.transmits.size() * channels);
    for (std::size_t i = 0; i < elements.size(); ++i)
        elements[i] = static_cast<std::int32_t>(i % channels);
    return elements;
}

} // namespace

std::size_t ChannelShift::heldBytes(const FrameSpec& input) {
    return das::kMostReadTableBytes +
           input.acquisition->transmits.size() * sizeof(std::int32_t) *
               (1 + static_cast<std::size_t>(input.sizeOf(AxisName::Channel)));
}

void ChannelShift::prepare(const Exec& exec, const FrameSpec& input) {
    m_input = input;
    std::vector<std::int32_t> receivers = receiversOf(input);
    m_receivers.allocate(exec, receivers.size());
    m_receivers.set(exec, std::move(receivers));
    m_senders.allocate(exec, input.acquisition->transmits.size());
    m_table.allocate(exec, das::kMostReadTableBytes / sizeof(float));
    m_table.set(exec, das::readTable(kTaps, echoBand(input, usualBandwidth(input))));
}

void ChannelShift::set(const Exec& exec, bool onTransmit) {
    const Acquisition& acquisition = *m_input.acquisition;
    std::vector<std::int32_t> senders;
    for (const Transmit& transmit : acquisition.transmits)
        senders.push_back(onTransmit ? firedAlone(acquisition, transmit) : -1);
    m_senders.set(exec, std::move(senders));
}

template <class Sample> void ChannelShift::shift(const Exec& exec, const char* kernel,
                                                 const void* samples, const ElementShifts& shifts,
                                                 void* output, std::int64_t patches) const {
    const std::int64_t count = m_input.sizeOf(AxisName::Sample);
    const std::int64_t lines = m_input.count() / count;
    das::LineReading reading;
    reading.samples = static_cast<std::int32_t>(count);
    reading.interpolation = DelayInterpolation::LeastSquares;
    reading.leastSquaresTaps = kTaps;
    reading.readTable = m_table.data();
    const double fd = isComplex(m_input.dtype) ? m_input.demodulationFrequencyHz : 0.0;
    forEachInLines(exec, kernel, lines * patches, count,
                   ShiftChannels<Sample>{
                       reading, static_cast<const Sample*>(samples), shifts, m_receivers.data(),
                       m_senders.data(), static_cast<Sample*>(output), lines,
                       m_input.sizeOf(AxisName::Channel),
                       std::ssize(m_input.acquisition->probe.elements),
                       static_cast<float>(m_input.samplingFrequencyHz()), static_cast<float>(fd)});
}

void ChannelShift::run(const Exec& exec, const char* kernel, const void* samples,
                       const ElementShifts& shifts, void* output, std::int64_t patches) const {
    isComplex(m_input.dtype) ? shift<Complex>(exec, kernel, samples, shifts, output, patches)
                             : shift<float>(exec, kernel, samples, shifts, output, patches);
}

} // namespace echolux::aberration
