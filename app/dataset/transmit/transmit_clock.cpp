// SPDX-License-Identifier: GPL-3.0-or-later
// Delays of ideal transmits, and element positions of common arrays.
#include "app/dataset/transmit/transmit_clock.hpp"

#include "gpu/beamform/beamform_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {

double firstFiringLead(const Transmit& transmit, std::span<const Point> elements,
                       double soundSpeedMps, Steering steering) {
    double first = 0.0;
    bool any = false;
    for (const Point& element : elements) {
        const double delay = idealDelay(transmit, element, soundSpeedMps, steering);
        first = any ? std::min(first, delay) : delay;
        any = true;
    }
    return -first;
}

double firstFiringLead(const Acquisition& acquisition, const Transmit& transmit) {
    const auto& elements = acquisition.probe.elements;
    std::vector<Point> firing;
    for (std::size_t e = 0; e < elements.size(); ++e)
        if (transmit.apodization.empty() || transmit.apodization[e] != 0.0F)
            firing.push_back(elements[e]);
    return firstFiringLead(transmit, firing, transmitSpeedOf(acquisition), acquisition.steering);
}

double beamOriginLead(const Acquisition& acquisition, const Transmit& transmit) {
    return -das::beamPath(acquisition, transmit) / transmitSpeedOf(acquisition);
}

double median(std::vector<double> values) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

std::vector<Point> linearArray(std::size_t count, double pitchM) {
    std::vector<Point> elements(count);
    const double middle = 0.5 * (static_cast<double>(count) - 1.0);
    for (std::size_t k = 0; k < count; ++k)
        elements[k].x = (static_cast<double>(k) - middle) * pitchM;
    return elements;
}

std::vector<Point> convexArray(std::size_t count, double pitchM, double radiusM) {
    std::vector<Point> elements(count);
    const double step = 2.0 * std::asin(0.5 * pitchM / radiusM);
    const double edge = 0.5 * (static_cast<double>(count) - 1.0) * step;
    for (std::size_t k = 0; k < count; ++k) {
        const double theta = static_cast<double>(k) * step - edge;
        elements[k].x = radiusM * std::sin(theta);
        elements[k].z = radiusM * (std::cos(theta) - 1.0);
    }
    return elements;
}

std::vector<Point> convexArrayByEdges(std::size_t count, double pitchM, double radiusM) {
    std::vector<Point> elements = convexArray(count, pitchM, radiusM);
    const double edge = elements.empty() ? 0.0 : elements.front().z;
    for (Point& element : elements) element.z -= edge;
    return elements;
}

double medianPitch(std::span<const Point> elements) {
    if (elements.size() < 2) return 0.0;
    std::vector<double> steps;
    for (std::size_t k = 1; k < elements.size(); ++k)
        steps.push_back(distance(elements[k - 1], elements[k]));
    return median(steps);
}

} // namespace echolux
