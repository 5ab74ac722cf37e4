// SPDX-License-Identifier: GPL-3.0-or-later
// Figures over the values of one parameter.
#pragma once

#include "app/measure/measurement.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// What was measured at one value.
struct Swept {
    std::string value; ///< as written for the parameter
    std::vector<measure::Measured> measured;
    std::string problem; ///< one sentence: why there is no image; or empty
};

/// Measures the image that `make` returns. Where it throws Error, the sentence is the problem.
Swept sweptAt(const std::string& value, const std::vector<measure::Measurement>& measurements,
              const std::function<measure::MeasuredImage()>& make);

/// One figure of one measurement.
struct SweptFigure {
    std::string name;  ///< "wire.lateral_width"
    std::string title; ///< "wire.lateral_width (mm)"
    std::string label; ///< "wire: Lateral width at -6 dB"
    std::string unit;  ///< "mm", "dB", or empty
};
/// Adds those of `measured` that the list does not have yet. Over all values the list is in the
/// order of the first value that has each: a shape that cannot be measured at one value may be
/// measured at another.
void addFigures(std::vector<SweptFigure>& figures, const std::vector<measure::Measured>& measured);
std::vector<SweptFigure> figuresOf(const std::vector<Swept>& all);

/// NaN where the value has no such figure.
double figureOf(const Swept& swept, const std::string& name);

enum class Best { Lowest, Highest };
/// The first of all values where the figure is best; null where no value has it.
const Swept* bestOf(const std::vector<Swept>& all, const std::string& name, Best best);

/// The best value, and whether it may be offered.
struct BestValue {
    const Swept* at = nullptr; ///< null where no value has the figure
    /// One sentence: why it is not the best value for sure; or empty. The curve is flat as a whole
    /// or round its best value, has another peak that is nearly as good, the value lies at an end
    /// of those that have the figure, or what is measured lies at a shape's edge.
    std::string doubt;
};
BestValue bestValueOf(const std::vector<Swept>& all, const std::string& name, Best best);

/// "wire.lateral_width"
std::string nameOf(const measure::Measured& measured, const measure::Figure& figure);

} // namespace echolux
