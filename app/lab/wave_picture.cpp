// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/wave_picture.hpp"

#include "app/lab/element_ways.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace echolux::lab {
namespace {

/// The elements nearest to a place.
std::vector<std::size_t> nearestElements(const ElementWays& ways, const PlanePoint& place,
                                         std::size_t count) {
    std::vector<std::size_t> elements(ways.size());
    std::iota(elements.begin(), elements.end(), std::size_t{0});
    const auto apart = [&](std::size_t e) {
        return std::round(1e9 * lengthOf(ways.placeOf(e) - place)); // equal ones in their order
    };
    std::ranges::stable_sort(elements, {}, apart);
    elements.resize(std::clamp<std::size_t>(count, 1, elements.size()));
    std::ranges::sort(elements);
    return elements;
}

} // namespace

WavePicture wavePicture(const BeamGeometry& geometry, PlanePoint pixel, const WaveSetup& setup,
                        std::size_t pixels, const std::stop_token& stop) {
    constexpr double kPixelsPerWavelength = 4.0;
    const ElementWays ways(geometry);
    const BeamLine line = lineThrough(geometry, pixel);
    const std::vector<std::size_t> elements = nearestElements(ways, line.from, setup.elements);
    WavePicture picture{.focus = line.at(setup.focusM), .wavelengthM = ways.wavelengthM()};
    const double most =
        static_cast<double>(pixels - 1) / kPixelsPerWavelength * picture.wavelengthM;
    const double side = std::min(1.5 * setup.focusM, most);
    const PlanePoint middle = line.at(0.5 * side);
    picture.lateralM = BeamSection::evenly(middle.x - 0.5 * side, middle.x + 0.5 * side, pixels);
    picture.depthM = BeamSection::evenly(0.0, side, pixels);
    std::vector<double> waits;
    for (const std::size_t e : elements) {
        picture.senders.push_back(ways.placeOf(e));
        waits.push_back(setup.delayed ? -ways.to(e, picture.focus).lengthM : 0.0);
    }
    const double first = *std::ranges::min_element(waits);
    picture.field.resize(pixels * pixels);
    oneapi::tbb::parallel_for(std::size_t{0}, pixels, [&](std::size_t row) {
        if (stop.stop_requested()) return;
        for (std::size_t column = 0; column < pixels; ++column) {
            const PlanePoint at{picture.lateralM[column], picture.depthM[row]};
            std::complex<double> sum;
            for (std::size_t i = 0; i < elements.size(); ++i) {
                const ElementWay way = ways.to(elements[i], at);
                sum += std::polar(std::abs(way.directivity), 2.0 * std::numbers::pi /
                                                                 picture.wavelengthM *
                                                                 (way.lengthM + waits[i] - first)) *
                       (way.directivity < 0.0 ? -1.0 : 1.0);
            }
            picture.field[row * pixels + column] = std::complex<float>(sum);
        }
    });
    return stop.stop_requested() ? WavePicture{} : picture;
}

} // namespace echolux::lab
