// SPDX-License-Identifier: GPL-3.0-or-later
// Velocities and indices of the heartbeats of a sonogram.
#include "app/measure/envelope.hpp"
#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace echolux::measure {
namespace {

Envelope searched(const MeasuredImage& image, const Measurement& made) {
    return made.places.empty() ? envelopeOf(image)
                               : envelopeOf(image, made.places[0], made.places[1]);
}

/// Of what is there; NaN where nothing is.
double meanOf(const std::vector<double>& values) {
    double sum = 0.0;
    double count = 0.0;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        sum += value;
        count += 1.0;
    }
    return count > 0.0 ? sum / count : kNothing;
}

double meanOver(const std::vector<Beat>& beats, const std::function<double(const Beat&)>& of) {
    std::vector<double> values;
    for (const Beat& beat : beats) values.push_back(of(beat));
    return meanOf(values);
}

} // namespace

void checkEnvelope(const Envelope& envelope) {
    if (std::isnan(meanOf(envelope.maximum)))
        throw Error("No velocity of the sonogram stands 6 dB above its noise, so it has no "
                    "envelope; move the gate into a vessel, or lower 'wall_filter'.");
    constexpr std::size_t kOneOf = 50;
    if (envelope.linesAtLimit * kOneOf > envelope.maximum.size())
        throw Error(fmt::format("The flow is faster than the sonogram shows in {} of {} lines "
                                "(aliasing), so its largest velocity is unknown; shift 'baseline', "
                                "or record pulses at a higher rate.",
                                envelope.linesAtLimit, envelope.maximum.size()));
}

std::vector<Figure> figuresOfEnvelope(const MeasuredImage& image, const Measurement& made) {
    const Envelope envelope = searched(image, made);
    checkEnvelope(envelope);
    const std::vector<Beat> beats = beatsOf(envelope);
    const std::string& unit = envelope.velocityUnit;
    const bool none = beats.empty();
    const auto over = [&](double Beat::*value) {
        return meanOver(beats, [value](const Beat& beat) { return beat.*value; });
    };
    std::vector<Figure> figures{
        {"peak_systolic", "Peak systolic velocity", over(&Beat::peakSystolic), unit},
        {"end_diastolic", "End-diastolic velocity", over(&Beat::endDiastolic), unit},
        {"mean_of_maximum", "Mean of the maximum",
         none ? meanOf(envelope.maximum) : over(&Beat::meanOfMaximum), unit},
        {"mean_velocity", "Mean velocity", none ? meanOf(envelope.mean) : over(&Beat::meanOfMean),
         unit},
        {"resistivity_index", "Resistivity index", meanOver(beats, &Beat::resistivity), ""},
        {"pulsatility_index", "Pulsatility index", meanOver(beats, &Beat::pulsatility), ""},
        {"beats", "Whole beats", static_cast<double>(beats.size()), ""},
    };
    if (envelope.time.unit == "ms")
        figures.push_back({"rate", "Heart rate", meanOver(beats, &Beat::rate), "1/min"});
    return figures;
}

std::vector<std::vector<Place>> tracesOfEnvelope(const MeasuredImage& image,
                                                 const Measurement& made) {
    const Envelope envelope = searched(image, made);
    std::vector<std::vector<Place>> traces = tracesOf(envelope, envelope.maximum);
    const std::vector<std::vector<Place>> means = tracesOf(envelope, envelope.mean);
    traces.insert(traces.end(), means.begin(), means.end());
    return traces;
}

} // namespace echolux::measure
