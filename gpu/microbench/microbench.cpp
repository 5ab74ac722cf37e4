// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from measured rates.
#include "gpu/microbench/microbench.hpp"

#include "gpu/model/equations.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::microbench {

void addRates(Report& report) {
    const model::Device& device = report.device;
    for (const auto& row : model::rateRows()) {
        if (device.measured.*row.member <= 0.0) continue;
        report.figures.push_back(
            {"rates", row.key, row.unit, device.theory.*row.member, device.measured.*row.member});
    }
}

void completeTheory(model::Device& device) {
    model::Chip& chip = device.chip;
    const double clocks = chip.multiprocessors * chip.clockHz;
    const auto perClock = [&](double& number, double measured) {
        constexpr double kTolerance = 0.97; // the clock is measured, too
        if (number > 0.0 || measured <= 0.0) return;
        number = std::exp2(std::ceil(std::log2(kTolerance * measured / clocks)));
    };
    perClock(chip.flopPerClock, device.measured.ffma);
    perClock(chip.specialPerClock, device.measured.special);
    perClock(chip.offsetHighPerClock, device.measured.offsetHigh);
    perClock(chip.offsetLowPerClock, device.measured.offsetLow);
    perClock(chip.sharedBytesPerClock, device.measured.shared);
    device.theory = completed(completed(device.theory, theoryOf(chip)), device.measured);
}

double hiddenInstructions(const model::Rates& rates, double operations, double specials,
                          double seconds) {
    const double unhidden =
        std::max(seconds - model::specialSeconds({specials, rates.special}), 0.0) * rates.ffma;
    return std::clamp((operations - unhidden) / specials / 2.0, 0.0, 64.0);
}

} // namespace echolux::microbench
