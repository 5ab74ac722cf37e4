// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what this machine's processor or card does per second, for device files.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/model/device.hpp"

#include <string>
#include <vector>

namespace echolux::microbench {

/// One measured number beside the one that theory gives.
struct Figure {
    std::string group; ///< "rates", "mixes", ...
    std::string name;
    std::string unit;
    double theory = 0.0; ///< 0: none
    double measured = 0.0;
};

struct Report {
    model::Device device; ///< with `measured` filled; complete, as a device file needs it
    std::vector<Figure> figures;
    /// Processor time of the arithmetic over the time that all threads had by the clock; 0 for a
    /// card. Below kShareAlone other programs took part of the processor.
    double processorShare = 0.0;
    bool wasBusy() const { return processorShare > 0.0 && processorShare < kShareAlone; }
    static constexpr double kShareAlone = 0.9;
};

/// Measures the processor with all its threads, in about `seconds`. Rates are the best of several
/// runs. Where theory is not known it is taken from the measurement, and `sources` say so.
Report measureHost(double seconds);
inline constexpr double kUsualHostSeconds = 2.0; ///< enough for a prediction

/// Measures the calling thread's card, in some ten seconds. `known` gives theory where it is not
/// null. Throws Error where there is no card.
Report measureCard(const Exec& exec, const model::Device* known);

/// The processor's name, as it reports it.
std::string processorName();

// For both: figures that follow from others.

/// Adds each rate of the device to the figures.
void addRates(Report& report);
/// Fills the chip's numbers per clock, where they are 0: the next power of two that the measured
/// rates do not exceed by more than 3 %. Then completes the theory, where a rate is not known by
/// the measured one.
void completeTheory(model::Device& device);
/// Floating-point instructions that one special function hides, from the time of a mix:
/// `operations` of FFMA and `specials` in `seconds`.
double hiddenInstructions(const model::Rates& rates, double operations, double specials,
                          double seconds);

} // namespace echolux::microbench
