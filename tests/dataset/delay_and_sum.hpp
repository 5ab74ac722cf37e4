// SPDX-License-Identifier: GPL-3.0-or-later
// A plain delay-and-sum on the host, written from the clock convention alone: it shows that a
// reader puts echoes where the targets are.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <vector>

namespace echolux::test {

using Trace = std::vector<std::complex<double>>; ///< samples of one channel

/// One frame at baseband, [transmit][channel].
struct Signals {
    const RecordingInfo* info = nullptr;
    std::vector<Trace> traces;
    double carrierHz = 0.0; ///< with which the phase of a pixel turns
    bool filePhase = false; ///< demodulated in the file, so its iqPhaseZeroS counts
};

inline std::vector<std::complex<double>> samplesOf(const FrameSpec& spec, const std::byte* bytes) {
    const auto count = static_cast<std::size_t>(spec.count());
    std::vector<std::complex<double>> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = [&](auto type, std::size_t index) {
            decltype(type) value;
            std::memcpy(&value, bytes + index * sizeof value, sizeof value);
            return static_cast<double>(value);
        };
        switch (spec.dtype) {
        case DType::U8: values[i] = at(std::uint8_t{}, i); break;
        case DType::U16: values[i] = at(std::uint16_t{}, i); break;
        case DType::I16: values[i] = at(std::int16_t{}, i); break;
        case DType::F32: values[i] = at(float{}, i); break;
        case DType::ComplexI16:
            values[i] = {at(std::int16_t{}, 2 * i), at(std::int16_t{}, 2 * i + 1)};
            break;
        case DType::ComplexF32: values[i] = {at(float{}, 2 * i), at(float{}, 2 * i + 1)}; break;
        case DType::Packed12: break;
        }
        values[i] = (values[i] - (isComplex(spec.dtype) ? 0.0 : spec.codeOffset)) * spec.codeScale;
    }
    return values;
}

inline std::vector<std::complex<double>> readSamples(Recording& recording, std::int64_t frame) {
    std::vector<std::byte> bytes(recording.info().frame.bytes());
    recording.readFrame(frame, bytes);
    return samplesOf(recording.info().frame, bytes.data());
}

/// Analytic signal of RF by a Hilbert FIR (odd taps 2 / (pi n), Hamming window).
inline Trace analytic(const Trace& rf) {
    constexpr int kHalf = 31;
    Trace out(rf.size());
    const auto size = static_cast<int>(rf.size());
    for (int n = 0; n < size; ++n) {
        double imaginary = 0.0;
        for (int k = -kHalf; k <= kHalf; ++k) {
            if (k % 2 == 0 || n - k < 0 || n - k >= size) continue;
            const double window = 0.54 + 0.46 * std::cos(std::numbers::pi * k / (kHalf + 1));
            imaginary += 2.0 / (std::numbers::pi * k) * window * rf[n - k].real();
        }
        out[n] = {rf[n].real(), imaginary};
    }
    return out;
}

/// Baseband of RF whose sample n is at firstSample + n / fs. Band-pass-sampled RF (fs between fc
/// and 2 fc) shows its carrier at fc - fs, that is on the negative side.
inline Trace baseband(const Trace& rf, double fs, double fc, double firstSample) {
    Trace trace = analytic(rf);
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const std::complex<double> value = fs < 2.0 * fc ? std::conj(trace[n]) : trace[n];
        const double at = firstSample + static_cast<double>(n) / fs;
        trace[n] = value * std::polar(1.0, -2.0 * std::numbers::pi * fc * at);
    }
    return trace;
}

inline Signals loadSignals(Recording& recording, std::int64_t frame = 0) {
    const FrameSpec& spec = recording.info().frame;
    const auto samples = readSamples(recording, frame);
    const auto length = static_cast<std::size_t>(spec.sizeOf(AxisName::Sample));
    const auto channels = static_cast<std::size_t>(spec.sizeOf(AxisName::Channel));
    const bool iq = isComplex(spec.dtype);
    Signals signals{&recording.info(), {}, spec.centreFrequencyHz, iq};
    if (iq) signals.carrierHz = spec.demodulationFrequencyHz;
    for (std::size_t row = 0; row * length < samples.size(); ++row) {
        const auto begin = samples.begin() + static_cast<long>(row * length);
        const Trace trace(begin, begin + static_cast<long>(length));
        const Transmit& transmit = spec.acquisition->transmits[row / channels];
        signals.traces.push_back(iq ? trace
                                    : baseband(trace, spec.samplingFrequencyHz(),
                                               spec.centreFrequencyHz, transmit.firstSampleS));
    }
    return signals;
}

inline double length(const Point& p) { return std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z); }
inline Point minus(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// Path length of the transmitted wave to `p`, 0 at the origin (or at the firing element). [m]
inline double transmitPath(const Transmit& t, const Point& p) {
    switch (t.wave) {
    case Wave::Plane:
        return (p.x * std::sin(t.angleRad) + p.z * std::cos(t.angleRad)) *
                   std::cos(t.elevationRad) +
               p.y * std::sin(t.elevationRad);
    case Wave::Diverging: return length(minus(p, t.source)) - length(t.source);
    case Wave::Focused: {
        const double side = p.z < t.source.z ? -1.0 : 1.0;
        return length(t.source) + side * length(minus(p, t.source));
    }
    case Wave::Element: return length(minus(p, t.source));
    case Wave::None: return 0.0;
    }
    return 0.0;
}

struct SumOptions {
    double fNumber = 1.5;
    double soundSpeedMps = 0.0; ///< 0: the recording's
    int transmit = -1;          ///< alone; -1: all
};

/// Coherent sum over transmits and the channels within the f-number.
inline std::complex<double> pixel(const Signals& signals, const Point& p,
                                  const SumOptions& options = {}) {
    const FrameSpec& spec = signals.info->frame;
    const Acquisition& acquisition = *spec.acquisition;
    const double c =
        options.soundSpeedMps > 0.0 ? options.soundSpeedMps : acquisition.soundSpeedMps;
    const double fs = spec.samplingFrequencyHz();
    const auto& elements = acquisition.probe.elements;
    std::complex<double> sum = 0.0;
    const auto& heard = acquisition.receiveElements;
    const auto channels = static_cast<std::size_t>(spec.sizeOf(AxisName::Channel));
    for (std::size_t t = 0; t < acquisition.transmits.size(); ++t)
        for (std::size_t channel = 0; channel < channels; ++channel) {
            if (options.transmit >= 0 && t != static_cast<std::size_t>(options.transmit)) break;
            const std::size_t row = t * channels + channel;
            const auto e = heard.empty() ? channel : static_cast<std::size_t>(heard[row]);
            if (std::abs(elements[e].x - p.x) > 0.5 * p.z / options.fNumber) continue;
            const double weight =
                acquisition.receiveWeights.empty() ? 1.0 : acquisition.receiveWeights[row];
            if (weight == 0.0) continue;
            const Transmit& transmit = acquisition.transmits[t];
            const double tau = (transmitPath(transmit, p) + length(minus(p, elements[e]))) / c;
            const double at = (tau - transmit.firstSampleS) * fs;
            const Trace& trace = signals.traces[row];
            if (at < 0.0 || at >= static_cast<double>(trace.size() - 1)) continue;
            const auto low = static_cast<std::size_t>(at);
            const double part = at - static_cast<double>(low);
            const std::complex<double> value = (1.0 - part) * trace[low] + part * trace[low + 1];
            const double zero = signals.filePhase ? transmit.iqPhaseZeroS : 0.0;
            const double phase = 2.0 * std::numbers::pi * signals.carrierHz * (tau - zero);
            sum += weight * value * std::polar(1.0, phase);
        }
    return sum;
}

struct Peak {
    Point at;
    double value = 0.0;
};

/// The brightest pixel within `halfWidth` x `halfDepth` of `centre`, on a grid of `step`. [m]
inline Peak brightest(const Signals& signals, const Point& centre, double halfWidth,
                      double halfDepth, double step, const SumOptions& options = {}) {
    Peak best;
    for (double z = centre.z - halfDepth; z <= centre.z + halfDepth; z += step)
        for (double x = centre.x - halfWidth; x <= centre.x + halfWidth; x += step) {
            const Point at{x, centre.y, z};
            const double value = std::abs(pixel(signals, at, options));
            if (value > best.value) best = {at, value};
        }
    return best;
}

/// Centre of the energy within `halfDepth` above and below `centre`, along depth. [m]
inline double energyDepth(const Signals& signals, const Point& centre, double halfDepth,
                          double step, const SumOptions& options = {}) {
    double energy = 0.0;
    double moment = 0.0;
    for (double z = centre.z - halfDepth; z <= centre.z + halfDepth; z += step) {
        const double value = std::norm(pixel(signals, {centre.x, centre.y, z}, options));
        energy += value;
        moment += value * z;
    }
    return moment / energy;
}

} // namespace echolux::test
