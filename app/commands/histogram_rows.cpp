// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/histogram_rows.hpp"

#include "app/measure/distribution.hpp"
#include "gpu/core/csv_text.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace echolux {
namespace {

constexpr std::array kKinds{std::pair("amplitude", measure::Counted::Amplitudes),
                            std::pair("power", measure::Counted::Powers)};

std::string rowsOf(const std::string& begin, const measure::Distribution& found) {
    std::string rows;
    for (std::size_t bin = 0; bin < found.density.size(); ++bin)
        rows += fmt::format(
            "{},{:.6g},{:.6g},{:.6g},{:.6g}\n", begin, found.binWidth * static_cast<double>(bin),
            found.binWidth * static_cast<double>(bin + 1), found.density[bin], found.speckle[bin]);
    return rows;
}

} // namespace

std::string histogramRows(std::int64_t frame, const measure::MeasuredImage& image,
                          const std::vector<measure::Measurement>& measurements) {
    std::string rows;
    for (const measure::Measurement& each : measurements) {
        if (!isRegion(each.kind)) continue;
        for (const auto& [name, counted] : kKinds) {
            const std::string begin = fmt::format("{},{},{}", frame, csvText(each.name), name);
            try {
                rows += rowsOf(begin, measure::distributionIn(image, each, counted));
            } catch (const Error&) { // its figures say why
            }
        }
    }
    return rows;
}

} // namespace echolux
