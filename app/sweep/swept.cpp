// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sweep/swept.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Why the figure at `best` may mislead; or empty.
std::string noteAt(const Swept& best, const std::string& name) {
    for (const measure::Measured& one : best.measured)
        for (const measure::Figure& figure : one.figures)
            if (nameOf(one, figure) == name) return one.note;
    return {};
}

} // namespace

BestValue bestValueOf(const std::vector<Swept>& all, const std::string& name, Best best) {
    BestValue found{bestOf(all, name, best), {}};
    if (found.at == nullptr) return found;
    std::vector<const Swept*> having;
    double least = std::numeric_limits<double>::infinity();
    double greatest = -least;
    for (const Swept& each : all) {
        const double value = figureOf(each, name);
        if (!std::isfinite(value)) continue;
        having.push_back(&each);
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    }
    if (greatest - least <= kFlat * std::max(std::abs(least), std::abs(greatest)))
        found.doubt = "The figure does not depend on this parameter, so no value is best.";
    else if (found.at == having.front() || found.at == having.back())
        found.doubt = "It lies at an end of the values, so a better one may lie beyond; sweep a "
                      "wider range.";
    else
        found.doubt = noteAt(*found.at, name);
    return found;
}

} // namespace echolux
