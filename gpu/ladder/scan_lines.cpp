// SPDX-License-Identifier: GPL-3.0-or-later
// Constants of the scan lines.
#include "gpu/ladder/scan_lines.hpp"

#include <cmath>

namespace echolux::ladder {
namespace {

constexpr double kLineSpacing = 0.25; ///< distance of one beam's lines over that of beams

} // namespace

double ScanGeometry::place(const ScanProblem& problem, int channel) const {
    return (channel - 0.5 * (problem.channels - 1)) * pitchM * samplingHz / soundSpeedMps;
}

double ScanGeometry::sine(const ScanProblem& problem, int beam, int line) const {
    const double gaps = problem.beams > 1 ? problem.beams - 1 : 1;
    const double spacing = 2.0 * greatestAngleRad / gaps;
    const double middle = problem.beams > 1 ? -greatestAngleRad + beam * spacing : 0.0;
    const double fraction =
        problem.lines > 1 ? (line + 0.5) / static_cast<double>(problem.lines) - 0.5 : 0.0;
    return std::sin(middle + fraction * kLineSpacing * spacing);
}

std::vector<float> scanConstants(const ScanProblem& problem, const ScanGeometry& geometry) {
    const auto channels = static_cast<std::size_t>(problem.channels);
    std::vector<float> own(2 * channels); // C1, C3
    for (int n = 0; n < problem.channels; ++n) {
        const double a = geometry.place(problem, n) * problem.factor;
        own[static_cast<std::size_t>(n)] = static_cast<float>(a * a);
        own[channels + static_cast<std::size_t>(n)] = static_cast<float>(a);
    }
    std::vector<float> all;
    if (problem.constants == ScanConstants::Separate) all = own;
    for (int beam = 0; beam < problem.beams; ++beam) {
        if (problem.constants == ScanConstants::Separate) {
            for (int line = 0; line < problem.lines; ++line)
                all.push_back(static_cast<float>(geometry.sine(problem, beam, line)));
            continue;
        }
        all.insert(all.end(), own.begin(), own.begin() + problem.channels);
        const double sine = geometry.sine(problem, beam, 0);
        for (int n = 0; n < problem.channels; ++n)
            all.push_back(static_cast<float>(geometry.place(problem, n) * problem.factor * sine));
    }
    return all;
}

} // namespace echolux::ladder
