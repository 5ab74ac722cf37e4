// SPDX-License-Identifier: GPL-3.0-or-later
// Small problems of scan lines, their echoes, and the deviation of lines from double precision.
#pragma once

#include "gpu/ladder/echo_field.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace echolux::ladder {

struct LineCase {
    int lines = 1;
    int factor = 1;
    bool apodized = false;
    ScanConstants constants = ScanConstants::Separate;
    LineOrder order = LineOrder::Loop;
    device::TextureNumbers numbers = device::TextureNumbers::Int16;
    int channels = 33;

    std::string text() const {
        return std::to_string(channels) + " channels, " + std::to_string(lines) +
               " lines, factor " + std::to_string(factor) + (apodized ? ", apodized" : "") +
               ", order " + std::to_string(static_cast<int>(order)) + ", numbers " +
               std::to_string(static_cast<int>(numbers));
    }
};

inline std::vector<LineCase> everyForm() {
    using enum ScanConstants;
    using enum LineOrder;
    constexpr auto kFloats = device::TextureNumbers::Float;
    std::vector<LineCase> forms{{},
                                {.factor = 4, .numbers = kFloats},
                                {.lines = 4},
                                {.numbers = kFloats},
                                {.factor = 4},
                                {.apodized = true}};
    forms.push_back({.constants = PerBeamAndChannel});
    forms.push_back({.factor = 4, .constants = PerBeamAndChannel, .numbers = kFloats});
    forms.push_back({.constants = PerBeamAndChannel, .order = Cooperative});
    forms.push_back({.order = Cooperative, .channels = 150}); // more than a block has threads
    for (const LineOrder order : {Loop, Parallel, Cooperative, Atomic}) {
        forms.push_back({.lines = 5, .order = order});
        forms.push_back({.lines = 16, .factor = 4, .apodized = true, .order = order});
        forms.push_back(
            {.lines = 4, .factor = 4, .apodized = true, .order = order, .numbers = kFloats});
    }
    return forms;
}

struct LineEchoes {
    ScanProblem problem;
    ScanGeometry geometry;
    EchoField field;
    std::vector<std::int16_t> codes; ///< one of both is filled: ScanProblem::numbers
    std::vector<float> values;
    std::vector<std::int16_t> weights;

    static ScanProblem shapeOf(const LineCase& of) {
        ScanProblem problem;
        problem.channels = of.channels;
        problem.samples = 800;
        problem.beams = 3;
        problem.lines = of.lines;
        problem.factor = of.factor;
        problem.apodized = of.apodized;
        problem.constants = of.constants;
        problem.order = of.order;
        problem.numbers = of.numbers;
        return problem;
    }

    explicit LineEchoes(const LineCase& of)
        : problem(shapeOf(of)), field(problem, geometry),
          weights(apodizationCodes(problem, geometry)) {
        if (of.numbers == device::TextureNumbers::Int16) {
            codes = field.codes(of.factor);
        } else {
            values = field.values(of.factor);
        }
    }

    /// On the CPU.
    std::vector<float> lines(const std::vector<float>& constants) const {
        std::vector<float> out(static_cast<std::size_t>(problem.outputs()), NAN);
        ScanInput input;
        input.records = problem.numbers == device::TextureNumbers::Int16
                            ? static_cast<const void*>(codes.data())
                            : static_cast<const void*>(values.data());
        input.weights = weights.data();
        input.constants = constants.data();
        sumScanLines({}, problem, input, out.data());
        return out;
    }
    double deviation(const std::vector<float>& out) const {
        const auto exact = [this](int beam, int channel, std::int64_t n) {
            return field.at(beam, channel, static_cast<double>(n) / problem.factor);
        };
        return scanDeviation(problem, geometry, field, exact, out.data());
    }
};

} // namespace echolux::ladder
