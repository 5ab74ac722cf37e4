// SPDX-License-Identifier: GPL-3.0-or-later
// The equations of van Bavel 2013, chapter 5, one function each. Times are in seconds, rates in
// operations or bytes per second; all are positive. "Operations" counts an FFMA as two.
#pragma once

#include <span>

namespace echolux::model {

/// An amount of work (operations or bytes) and the rate at which a device does it.
struct Work {
    double amount = 0.0;
    double rate = 0.0;
};

/// A prediction with its uncertainty.
struct Interval {
    double low = 0.0;
    double high = 0.0;
    double middle() const { return (low + high) / 2.0; }
    Interval operator+(const Interval& other) const { return {low + other.low, high + other.high}; }
    Interval operator+(double seconds) const { return {low + seconds, high + seconds}; }
    bool operator==(const Interval&) const = default;
};

/// Eq. 5.1: tc = sum of CQ_i / C_i. Kinds without work count nothing, whatever their rate.
double computeSeconds(std::span<const Work> kinds);
/// Eq. 5.2: CQ = sum of CQ_i.
double totalOperations(std::span<const Work> kinds);
/// Eq. 5.3: cur = CQ / tc, the computational utilisation roof. 0 without operations.
double computeRoof(std::span<const Work> kinds);

/// Eq. 5.4: tm = sum of MQ_j / B_j over the memories.
double memorySeconds(std::span<const Work> memories);
/// Eq. 5.4: mur(x) = x MQ / tm, operations per second at `intensity` operations per byte. NOTE: the
/// document prints MQ / tm, which are bytes per second; only x times it can be compared with cur.
double memoryRoof(std::span<const Work> memories, double intensity);
/// Eq. 5.5: min(mur(x), cur).
double utilisationRoofline(double memoryRoof, double computeRoof);

/// Eq. 5.6 and 5.7: T = O / P of one hardware pipeline. 0 without work.
double pipelineSeconds(const Work& work);
/// Eq. 5.8: (O0 + O1) / max(T0, T1), two pipelines that run in parallel. (5.9 is an empty line.)
double parallelRate(const Work& first, const Work& second);

/// Eq. 5.10: T_RSQRT = O_RSQRT / P_RSQRT, and 5.13: T_SFU = O_SFU / P_SFU.
double specialSeconds(const Work& special);
/// Eq. 5.11 and 5.14: max(O_FP - X O_SFU, 0) / P, the operations that special functions do not
/// hide. `hidden` is X.
double unhiddenSeconds(const Work& floats, double specials, double hidden);
/// Eq. 5.12: (O_SFU + O_FP) / (T_SFU + T_FP).
double overlappedRate(const Work& special, const Work& floats, double hidden);
/// X of a mix. The document gives 6 for FFMA and 3 for others, that is 3 instructions, and nothing
/// for mixes. Here X is `instructions` times the mean operations per instruction of the mix.
double hiddenOperations(double instructions, double operations, double hiddenInstructions);

/// Eq. 5.15: T_c = T_FP + T_SFU.
double computeTime(double floatSeconds, double specialSeconds);
/// Eq. 5.16: T_m = bytes / bandwidth.
double transferSeconds(double bytes, double bandwidth);
/// Eq. 5.17: T_offset,low = O_offset / P_offset,low, the longest time.
double slowOffsetSeconds(double offsets, double lowRate);
/// Eq. 5.18: T_offset,high = O_offset / P_offset,high, the shortest time.
double fastOffsetSeconds(double offsets, double highRate);
/// Eq. 5.19: both, as an interval from the shortest to the longest time.
Interval offsetTime(double offsets, double highRate, double lowRate);
/// Eq. 5.20: T_part = max(T_m, T_c) + T_offset.
Interval partTime(double memorySeconds, double computeSeconds, const Interval& offsets);

/// The error that Echolux prints: |measured - middle| / measured (tables 5.7 and 5.9).
double errorOfMeasurement(double measured, double predicted);
/// The error of table 5.8: |measured - middle| / middle.
double errorOfPrediction(double measured, double predicted);

} // namespace echolux::model
