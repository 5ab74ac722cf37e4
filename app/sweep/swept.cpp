// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sweep/swept.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

namespace echolux {

Swept sweptAt(const std::string& value, const std::vector<measure::Measurement>& measurements,
              const std::function<measure::MeasuredImage()>& make) {
    Swept swept{value, {}, {}};
    try {
        swept.measured = measure::measureAll(make(), measurements);
    } catch (const Error& error) {
        swept.problem = error.what();
    }
    return swept;
}

std::string nameOf(const measure::Measured& measured, const measure::Figure& figure) {
    return measured.name + "." + figure.id;
}

void addFigures(std::vector<SweptFigure>& figures, const std::vector<measure::Measured>& measured) {
    for (const measure::Measured& one : measured)
        for (const measure::Figure& figure : one.figures) {
            const std::string name = nameOf(one, figure);
            if (std::ranges::find(figures, name, &SweptFigure::name) != figures.end()) continue;
            figures.push_back(
                {name, figure.unit.empty() ? name : fmt::format("{} ({})", name, figure.unit),
                 one.name + ": " + figure.label, figure.unit});
        }
}

std::vector<SweptFigure> figuresOf(const std::vector<Swept>& all) {
    std::vector<SweptFigure> figures;
    for (const Swept& each : all) addFigures(figures, each.measured);
    return figures;
}

double figureOf(const Swept& swept, const std::string& name) {
    for (const measure::Measured& one : swept.measured)
        for (const measure::Figure& figure : one.figures)
            if (nameOf(one, figure) == name) return figure.value;
    return std::numeric_limits<double>::quiet_NaN();
}

const Swept* bestOf(const std::vector<Swept>& all, const std::string& name, Best best) {
    const Swept* found = nullptr;
    for (const Swept& each : all) {
        const double value = figureOf(each, name);
        if (!std::isfinite(value)) continue;
        const double former = found != nullptr ? figureOf(*found, name) : 0.0;
        if (found == nullptr || (best == Best::Lowest ? value < former : value > former))
            found = &each;
    }
    return found;
}

namespace {

/// A curve that spans less, of its greatest magnitude, is flat: figures are made of floats.
constexpr double kFlat = 1e-4;
/// Less than this share of the curve's span below its best value is nearly as good.
constexpr double kNearly = 0.05;
/// A length less than this share above the best one is nearly as good: speckle beside a wire and
/// the samples of the image move its width by as much. Of wires simulated in speckle at 1540 m/s
/// no width that is offered so is best farther than 20 m/s from there.
constexpr double kNearlyAsLong = 0.04;
/// The widest share of the values that may be nearly as good; of a parabola it is 0.34 or less.
constexpr double kPlateau = 0.35;
/// Another peak that comes so near to the best value makes the curve ambiguous.
constexpr double kOtherPeak = 0.25;

/// Why the figure at `best` may mislead; or empty.
std::string noteAt(const Swept& best, const std::string& name) {
    for (const measure::Measured& one : best.measured)
        for (const measure::Figure& figure : one.figures)
            if (nameOf(one, figure) == name) return one.note;
    return {};
}

/// The figure at the values that have it, greatest where it is best.
struct Curve {
    std::vector<const Swept*> at;
    std::vector<double> merit;
    bool isLength = false;
};

bool isLength(const std::vector<Swept>& all, const std::string& name) {
    const auto figures = figuresOf(all);
    const auto found = std::ranges::find(figures, name, &SweptFigure::name);
    return found != figures.end() && (found->unit == "mm" || found->unit == "px");
}

/// From the first to the last index round `best`, without a gap, whose merit is `least` or more.
std::pair<std::size_t, std::size_t> runRound(const Curve& curve, std::size_t best, double least) {
    std::size_t first = best;
    std::size_t last = best;
    while (first > 0 && curve.merit[first - 1] >= least) --first;
    while (last + 1 < curve.merit.size() && curve.merit[last + 1] >= least) ++last;
    return {first, last};
}

/// Choices of words have no order, so none lies at an end or between others.
bool isOfWords(const Curve& curve) {
    return std::ranges::any_of(curve.at, [](const Swept* each) {
        return !each->value.empty() &&
               std::isalpha(static_cast<unsigned char>(each->value[0])) != 0;
    });
}

/// One sentence: why the shape of the curve does not tell its best value; or empty.
std::string doubtOfShape(const Curve& curve) {
    const auto [lowest, highest] = std::ranges::minmax_element(curve.merit);
    const double span = *highest - *lowest;
    if (span <= kFlat * std::max(std::abs(*lowest), std::abs(*highest)))
        return "The figure does not depend on this parameter, so no value is best.";
    if (isOfWords(curve)) return {};
    const auto best = static_cast<std::size_t>(std::ranges::max_element(curve.merit) -
                                               curve.merit.begin()); // the first one
    const double nearly =
        *highest -
        std::max(kNearly * span, curve.isLength ? kNearlyAsLong * std::abs(*highest) : 0.0);
    const auto [first, last] = runRound(curve, best, nearly);
    if (first == 0 || last + 1 == curve.merit.size())
        return "It lies at an end of the values, or the end is nearly as good, so a better one may "
               "lie beyond; sweep a wider range.";
    // Where the straight lines to the neighbours cross `nearly`.
    const auto beyond = [&](std::size_t in, std::size_t out) {
        return (curve.merit[in] - nearly) / (curve.merit[in] - curve.merit[out]);
    };
    const double width =
        static_cast<double>(last - first) + beyond(first, first - 1) + beyond(last, last + 1);
    if (width > kPlateau * static_cast<double>(curve.merit.size() - 1))
        return fmt::format("From {} to {} the figure is nearly as good, so it does not tell the "
                           "best value; choose another figure or region.",
                           curve.at[first]->value, curve.at[last]->value);
    const auto [begin, end] = runRound(curve, best, *highest - kOtherPeak * span);
    for (std::size_t n = 0; n < curve.merit.size(); ++n)
        if ((n < begin || n > end) && curve.merit[n] >= *highest - kOtherPeak * span)
            return fmt::format("Near {} the figure has another peak that is nearly as good; choose "
                               "another figure or region.",
                               curve.at[n]->value);
    return {};
}

} // namespace

BestValue bestValueOf(const std::vector<Swept>& all, const std::string& name, Best best) {
    BestValue found{bestOf(all, name, best), {}};
    if (found.at == nullptr) return found;
    Curve curve{{}, {}, isLength(all, name)};
    for (const Swept& each : all) {
        const double value = figureOf(each, name);
        if (!std::isfinite(value)) continue;
        curve.at.push_back(&each);
        curve.merit.push_back(best == Best::Highest ? value : -value);
    }
    found.doubt = doubtOfShape(curve);
    if (found.doubt.empty()) found.doubt = noteAt(*found.at, name);
    return found;
}

} // namespace echolux
