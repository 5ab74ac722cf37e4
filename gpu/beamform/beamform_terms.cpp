// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_terms.hpp"

#include "gpu/beamform/beamform_formula.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::das {

using model::Kernel;
using model::Part;

namespace {

constexpr int kSpread = 12; ///< pixels along each axis at which terms are counted

} // namespace

Part sumOf(const Part& a, const Part& b) { return Kernel{"", {}, {a, b}}.total(); }

Part perElement(bool complex, Weights weights, bool windowed) {
    Part part{.ffma = 2.0, .special = 1.0, .offsets = 5.0};
    if (weights == Weights::Flat) {
        part.fadd += 1.0;
        part.offsets += 15.0;
    } else if (weights == Weights::Faces) { // Way: three products of faces, their length, limits
        part.ffma += 6.0;
        part.fmul += 7.0;
        part.fadd += 4.0;
        part.special += 1.0;
        part.offsets += 20.0;
    }
    if (windowed) { // fastWindow: a cosine, a division, limits
        part.ffma += 2.0;
        part.fmul += 2.0;
        part.special += 2.0;
        part.offsets += 3.0;
    }
    if (complex) {
        part.ffma += 4.0;
        part.fmul += 3.0;
        part.fadd += 1.0;
        part.special += 2.0;
    }
    return part;
}

bool isWindowed(const Model& model) {
    return model.constants.window != ApodizationWindow::Rectangular;
}

Part perTerm(bool complex, double sharing) {
    Part part{.sharedBytes = 8.0,
              .ffma = 1.0,
              .fadd = 2.0 / sharing,
              .offsets = sharing > 1.0 ? 3.0 : 6.0};
    if (complex) {
        part.sharedBytes += 8.0;
        part.ffma += 5.0;
    } else {
        part.fadd += 1.0; // added with the weight 1, or by a sum over the tile
    }
    return part;
}

Part weighing(bool complex) {
    return {.ffma = complex ? 2.0 : 1.0, .fmul = 1.0, .fadd = 1.0, .offsets = 4.0};
}

double tapsOf(const LineReading& reading) {
    switch (reading.interpolation) {
    case DelayInterpolation::Linear: return 2.0;
    case DelayInterpolation::Lagrange: return reading.lagrangeOrder + 1.0;
    case DelayInterpolation::Sinc: return reading.sincTaps;
    case DelayInterpolation::LeastSquares: return reading.leastSquaresTaps;
    case DelayInterpolation::Nearest:
    case DelayInterpolation::Texture: break; // the texture unit mixes two
    }
    return 1.0;
}

Part perTaps(const Model& model, bool complex) {
    const Constants& k = model.constants;
    const double reals = complex ? 2.0 : 1.0;
    Part part{.fadd = 2.0, .offsets = 4.0};
    Part tap;
    if (k.interpolation == DelayInterpolation::Lagrange && k.lagrangeOrder == kUsualOrder) {
        part.fadd += 3.0; // cubicThrough(), its products by scalars
        part.fmul += 6.0;
        tap = {.offsets = 2.0};
    } else if (k.interpolation == DelayInterpolation::Lagrange) {
        tap = {.fmul = 2.0, .fadd = 1.0, .offsets = 6.0};
    } else if (k.interpolation == DelayInterpolation::Sinc) {
        // sineOverPi(); per pair a reciprocal, its argument, two distances, a product.
        part.ffma += 5.0;
        part.fmul += 3.0;
        part.fadd += 2.0;
        part.offsets += 4.0;
        tap = {.ffma = 1.0, .fmul = 0.5, .fadd = 1.0, .special = 0.5, .offsets = 2.0};
    } else if (k.interpolation == DelayInterpolation::LeastSquares) {
        tap = {.sharedBytes = 4.0, .offsets = 4.0};
    }
    tap.sharedBytes += 4.0 * reals;
    tap.ffma += reals;
    return sumOf(part, tap.times(tapsOf(k)));
}

double heardShare(const Model& model) {
    const Constants k = model.onHost();
    if (k.channelOf == nullptr) return 1.0;
    double heard = 0.0;
    for (int t = 0; t < k.transmits; ++t)
        for (int e = 0; e < k.elements; ++e)
            heard += recordOf(k, k.transmit[t].line, e) >= 0 ? 1.0 : 0.0;
    return heard / (static_cast<double>(k.transmits) * k.elements);
}

double heaviestOf(const TermCount& terms) {
    return terms.elements > 0.0 ? std::clamp(terms.mostElements / terms.elements, 1.0, 2.0) : 1.0;
}

double extraElements(const Model& model, const TermCount& terms, double columns, double rows) {
    const Constants& k = model.constants;
    const auto all = static_cast<double>(model.elements.size());
    if (k.apertureSlope == 0.0F || terms.elements == 0.0) return 0.0;
    const auto ends = std::ranges::minmax(model.elements, {}, &Element::x);
    const bool flat =
        std::ranges::all_of(model.elements, [&](const Element& e) { return e.y == ends.min.y; });
    const double dimensions = flat ? 1.0 : 2.0;
    const double aperture = (static_cast<double>(ends.max.x) - ends.min.x) *
                            std::pow(terms.elements / all, 1.0 / dimensions);
    const double width = (columns - 1.0) * std::abs(k.grid.dx) +
                         2.0 * (rows - 1.0) * std::abs(k.grid.dz) * k.apertureSlope;
    const double more = std::pow(1.0 + width / aperture, dimensions) - 1.0;
    return std::min(terms.elements * more, all - terms.elements);
}

TermCount termsOf(const Model& model) {
    const Constants k = model.onHost();
    const Grid& grid = k.grid;
    TermCount terms;
    terms.pixels = static_cast<double>(grid.pixels());
    double places = 0.0;
    const auto along = [](int size, int i, int of) { return (2 * i + 1) * size / (2 * of); };
    const int slices = std::min(grid.elevation, kSpread);
    const int rows = std::min(grid.depth, kSpread);
    const int columns = std::min(grid.lateral, kSpread);
    for (int s = 0; s < slices; ++s) {
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                const Place place =
                    grid.at(along(grid.lateral, c, columns), along(grid.depth, r, rows),
                            along(grid.elevation, s, slices));
                double elements = 0.0;
                double transmits = 0.0;
                for (int e = 0; e < k.elements; ++e)
                    elements += apodization(k, e, place) > 0.0F ? 1.0 : 0.0;
                for (int t = 0; t < k.transmits; ++t) transmits += reaches(k, t, place) ? 1.0 : 0.0;
                terms.elements += elements;
                terms.transmits += transmits;
                terms.sums += elements * transmits;
                places += 1.0;
                terms.mostElements = std::max(terms.mostElements, elements);
            }
        }
    }
    if (places == 0.0) return terms;
    terms.elements /= places;
    terms.transmits /= places;
    terms.sums *= terms.pixels / places;
    const double beams = std::max(k.blendedBeams, 1);
    terms.transmits *= beams;
    terms.sums *= beams;
    return terms;
}

} // namespace echolux::das
