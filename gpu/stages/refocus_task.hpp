// SPDX-License-Identifier: GPL-3.0-or-later
// What `refocus` has to do for channel data: who fires, who hears, and which frequencies.
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/decoding/codes.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/stages/refocus_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {

/// Records and spectra, and how many.
struct RefocusShape {
    std::int64_t transmits = 0;
    std::int64_t channels = 0;
    std::int64_t samples = 0;
    std::int64_t senders = 0;
    std::int64_t receivers = 0;
    std::int64_t longSamples = 0; ///< of the output
    decoding::Bins bins;          ///< of spectra
    std::int64_t spectrum = 0;    ///< points of a spectrum as it lies in memory
    bool complex = false;

    ECHOLUX_HD std::int64_t reals() const { return complex ? 2 : 1; }
};

/// From a channel of a transmit to a receiver, which is an element.
struct HeardBy {
    std::int32_t channel = -1; ///< -1: not heard
    float weight = 0.0F;
};

/// Who fires when, by the recording and by the code.
inline decoding::Firings sentIn(const Acquisition& acquisition, const RefocusParams& values) {
    decoding::Firings sent = decoding::firingsOf(acquisition);
    if (values.code == DelayCode::Recorded) return sent;
    const std::size_t elements = acquisition.probe.elements.size();
    if (!decoding::hasHadamard(sent.transmits) || sent.transmits < elements) {
        throw Error(fmt::format("Stage 'refocus': Hadamard delays have a power of two of "
                                "transmits, at least as many as elements, but this recording has "
                                "{} and {} elements; choose another 'code'.",
                                sent.transmits, elements));
    }
    const decoding::CodeMatrix code = decoding::hadamard(sent.transmits);
    for (std::size_t t = 0; t < sent.transmits; ++t)
        for (std::size_t s = 0; s < sent.senders(); ++s)
            if (code.at(t, static_cast<std::size_t>(sent.elements[s])) < 0.0)
                sent.timeS[sent.at(t, s)] += values.codeDelayS;
    return sent;
}

/// Who hears what, and what comes of it.
struct RefocusTask {
    decoding::Refocusing refocusing;
    std::vector<std::int32_t> receivers; ///< elements; empty: receiver i is channel i
    RefocusShape shape;

    RefocusTask(const FrameSpec& input, const RefocusParams& values)
        : refocusing(input, sentIn(*input.acquisition, values)) {
        const Acquisition& acquisition = *input.acquisition;
        receivers = acquisition.receiveElements;
        std::ranges::sort(receivers);
        receivers.erase(std::unique(receivers.begin(), receivers.end()), receivers.end());
        std::erase(receivers, -1);
        shape.transmits = input.axes[0].size;
        shape.channels = input.axes[1].size;
        shape.samples = input.axes[2].size;
        shape.senders = std::ssize(refocusing.firings.elements);
        shape.receivers =
            acquisition.receiveElements.empty() ? shape.channels : std::ssize(receivers);
        shape.longSamples = shape.samples + refocusing.longer;
        shape.complex = isComplex(input.dtype);
        checkRecords(input);
        if (values.method == decoding::RefocusMethod::Inverse) checkAllIsHeard(acquisition);
        shape.bins = binsOf(values);
        shape.spectrum = shape.complex ? shape.bins.length : shape.bins.length / 2 + 1;
    }

    std::vector<HeardBy> heard(const Acquisition& acquisition) const {
        std::vector<HeardBy> by(static_cast<std::size_t>(shape.transmits * shape.receivers));
        for (std::size_t t = 0; t < static_cast<std::size_t>(shape.transmits); ++t) {
            for (std::size_t c = 0; c < static_cast<std::size_t>(shape.channels); ++c) {
                const std::size_t at = t * static_cast<std::size_t>(shape.channels) + c;
                const std::int64_t receiver = receiverOf(acquisition, c, at);
                if (receiver < 0) continue;
                by[t * static_cast<std::size_t>(shape.receivers) +
                   static_cast<std::size_t>(receiver)] = {
                    static_cast<std::int32_t>(c),
                    acquisition.receiveWeights.empty() ? 1.0F : acquisition.receiveWeights[at]};
            }
        }
        return by;
    }

private:
    std::int64_t receiverOf(const Acquisition& acquisition, std::size_t channel,
                            std::size_t at) const {
        if (acquisition.receiveElements.empty()) return static_cast<std::int64_t>(channel);
        const std::int32_t element = acquisition.receiveElements[at];
        if (element < 0) return -1;
        return std::ranges::lower_bound(receivers, element) - receivers.begin();
    }

    void checkRecords(const FrameSpec& input) const {
        if (!(refocusing.samplingHz > 0.0))
            throw Error("Stage 'refocus': the recording does not tell its sampling frequency, "
                        "which delays need; name it in a sidecar.");
        if (!shape.complex && input.centreFrequencyHz >= 0.5 * refocusing.samplingHz) {
            throw Error(fmt::format("Stage 'refocus': RF samples taken at {:g} MHz do not tell the "
                                    "true frequencies of a pulse of {:g} MHz; put 'analytic' "
                                    "before the stage.",
                                    refocusing.samplingHz / 1e6, input.centreFrequencyHz / 1e6));
        }
        if (!input.acquisition->receiveElements.empty() &&
            !input.acquisition->rangeWeights.values.empty())
            throw Error("Stage 'refocus': this recording weighs its channels over range, and "
                        "channels become elements here, which it does not weigh.");
        if (shape.senders < 1 || shape.receivers < 1)
            throw Error("Stage 'refocus': in this recording no element fires, or none listens.");
        if (refocusing.longer > shape.samples) {
            throw Error(fmt::format(
                "Stage 'refocus': elements fire over {} samples, longer than a record of {}; is "
                "the place of a source or the speed of sound wrong?",
                refocusing.longer, shape.samples));
        }
    }

    void checkAllIsHeard(const Acquisition& acquisition) const {
        const std::vector<HeardBy> by = heard(acquisition);
        const auto isHeard = [](const HeardBy& one) {
            return one.channel >= 0 && one.weight != 0.0F;
        };
        if (std::ranges::all_of(by, isHeard)) return;
        throw Error("Stage 'refocus': in this recording not every element listens to every "
                    "transmit, and 'inverse' would take what is missing for silence; choose the "
                    "method 'adjoint'.");
    }

    decoding::Bins binsOf(const RefocusParams& values) const {
        decoding::Bins bins;
        // As much room again for what the inverse spreads before and behind.
        bins.length = fastFftLength(shape.longSamples + refocusing.longer);
        const double stepHz = refocusing.samplingHz / static_cast<double>(bins.length);
        const auto binOf = [&](double hz, auto round) {
            return static_cast<std::int64_t>(round((hz - refocusing.demodulationHz) / stepHz));
        };
        const std::int64_t half = bins.length / 2;
        const auto up = [](double x) { return std::ceil(x); };
        const auto down = [](double x) { return std::floor(x); };
        bins.first = std::max(binOf(values.lowestHz, up), shape.complex ? 1 - half : 0);
        bins.count = std::min(binOf(values.highestHz, down), half) - bins.first + 1;
        if (bins.count > 0) return bins;
        throw Error(fmt::format(
            "Stage 'refocus': no frequency from 'lowest' = {:g} MHz to 'highest' = {:g} MHz lies "
            "in these records, which are sampled at {:g} MHz; widen the band.",
            values.lowestHz / 1e6, values.highestHz / 1e6, refocusing.samplingHz / 1e6));
    }
};

} // namespace echolux
