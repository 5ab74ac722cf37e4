// SPDX-License-Identifier: GPL-3.0-or-later
// Equations 5.1 to 5.20.
#include "gpu/model/equations.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::model {
namespace {

/// Sum of amount / rate.
double secondsOf(std::span<const Work> works) {
    double seconds = 0.0;
    for (const Work& work : works) seconds += pipelineSeconds(work);
    return seconds;
}

double amountOf(std::span<const Work> works) {
    double amount = 0.0;
    for (const Work& work : works) amount += work.amount;
    return amount;
}

} // namespace

double computeSeconds(std::span<const Work> kinds) { return secondsOf(kinds); }

double totalOperations(std::span<const Work> kinds) { return amountOf(kinds); }

double computeRoof(std::span<const Work> kinds) {
    const double seconds = computeSeconds(kinds);
    return seconds > 0.0 ? totalOperations(kinds) / seconds : 0.0;
}

double memorySeconds(std::span<const Work> memories) { return secondsOf(memories); }

double memoryRoof(std::span<const Work> memories, double intensity) {
    const double seconds = memorySeconds(memories);
    return seconds > 0.0 ? intensity * amountOf(memories) / seconds : 0.0;
}

double utilisationRoofline(double memoryRoof, double computeRoof) {
    return std::min(memoryRoof, computeRoof);
}

double pipelineSeconds(const Work& work) {
    return work.amount > 0.0 ? work.amount / work.rate : 0.0;
}

double parallelRate(const Work& first, const Work& second) {
    return (first.amount + second.amount) /
           std::max(pipelineSeconds(first), pipelineSeconds(second));
}

double specialSeconds(const Work& special) { return pipelineSeconds(special); }

double unhiddenSeconds(const Work& floats, double specials, double hidden) {
    return pipelineSeconds({std::max(floats.amount - hidden * specials, 0.0), floats.rate});
}

double overlappedRate(const Work& special, const Work& floats, double hidden) {
    return (special.amount + floats.amount) /
           (specialSeconds(special) + unhiddenSeconds(floats, special.amount, hidden));
}

double hiddenOperations(double instructions, double operations, double hiddenInstructions) {
    return instructions > 0.0 ? hiddenInstructions * operations / instructions : 0.0;
}

double computeTime(double floatSeconds, double specialSeconds) {
    return floatSeconds + specialSeconds;
}

double transferSeconds(double bytes, double bandwidth) {
    return pipelineSeconds({bytes, bandwidth});
}

double slowOffsetSeconds(double offsets, double lowRate) {
    return pipelineSeconds({offsets, lowRate});
}

double fastOffsetSeconds(double offsets, double highRate) {
    return pipelineSeconds({offsets, highRate});
}

Interval offsetTime(double offsets, double highRate, double lowRate) {
    return {fastOffsetSeconds(offsets, highRate), slowOffsetSeconds(offsets, lowRate)};
}

Interval partTime(double memorySeconds, double computeSeconds, const Interval& offsets) {
    return offsets + std::max(memorySeconds, computeSeconds);
}

double errorOfMeasurement(double measured, double predicted) {
    return std::abs(measured - predicted) / measured;
}

double errorOfPrediction(double measured, double predicted) {
    return std::abs(measured - predicted) / predicted;
}

} // namespace echolux::model
