// SPDX-License-Identifier: GPL-3.0-or-later
// Steps from scatterers to the fields that transmits send to them, for host and device; the sums
// are in echo_sum.
#pragma once

#include "gpu/echoes/echo_sum.hpp"
#include "gpu/echoes/element_path.hpp"
#include "gpu/echoes/screen_path.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::echoes {

inline constexpr std::int64_t kMargin = 3; ///< a cubic may read so many samples beyond a pulse

/// The paths of a group of scatterers to all parts of all elements.
struct Paths {
    double* samples; ///< [element][part][scatterer]
    double* gains;
    std::int64_t parts;
    std::int64_t points;

    ECHOLUX_HD std::int64_t at(std::int64_t element, std::int64_t part, std::int64_t point) const {
        return (element * parts + part) * points + point;
    }
};

struct FindPath {
    Paths paths;
    ElementShape shape;
    const ElementFace* faces;
    const EchoPoint* points;
    double samplesPerMetre;
    Screens screens;
    double samplingHz;
    double decays; ///< attenuation, as a multiple of the points' decay

    /// `line`: a part of an element.
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        const EchoPoint& point = points[n];
        const ElementFace& face = faces[line / paths.parts];
        const ElementPath path = elementPath(shape, face, line % paths.parts, point.at);
        const std::int64_t at = line * paths.points + n;
        double samples = path.lengthM * samplesPerMetre;
        double gain = path.gain * std::exp(-decays * point.decay * (path.lengthM - point.centreM));
        if (screens.count > 0) {
            const ScreenEffect effect = passScreens(screens, rayStart(face, point.at), point.at);
            samples += effect.delayS * samplingHz;
            gain *= std::exp(effect.logGain);
        }
        paths.samples[at] = samples;
        paths.gains[at] = gain;
    }
};

/// The part of time in which the field of a transmit at a scatterer is not zero.
struct Extent {
    std::int64_t first;  ///< sample of the common clock at which its rows begin
    std::int64_t length; ///< samples of a row; 0: nothing arrives
};

/// The pulses that some transmits send to the scatterers of a group.
struct Arrivals {
    Paths paths;
    const EchoPoint* points;
    const Firing* firings;
    const std::int64_t* starts; ///< [transmit + 1] index of a transmit's first firing

    /// Calls found(sample, gain) for each pulse that reaches the point, in the order of elements
    /// and parts.
    template <class Found>
    ECHOLUX_HD void forEach(std::int64_t transmit, std::int64_t point, const Found& found) const {
        const double amplitude = points[point].amplitude;
        for (std::int64_t i = starts[transmit]; i < starts[transmit + 1]; ++i) {
            const Firing& firing = firings[i];
            if (firing.element == Firing::kScatterers) {
                found(firing.sample, amplitude * firing.weight);
                continue;
            }
            for (std::int64_t part = 0; part < paths.parts; ++part) {
                const std::int64_t at = paths.at(firing.element, part, point);
                const double gain = amplitude * firing.weight * paths.gains[at];
                if (gain != 0.0) found(firing.sample + paths.samples[at], gain);
            }
        }
    }
};

struct FindExtent {
    Arrivals arrivals;
    Extent* extents;
    std::int64_t taps;
    std::int64_t lead;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t points = arrivals.paths.points;
        double least = 0.0;
        double most = 0.0;
        bool any = false;
        arrivals.forEach(i / points, i % points, [&](double sample, double) {
            least = any && least < sample ? least : sample;
            most = any && most > sample ? most : sample;
            any = true;
        });
        Extent extent{0, 0};
        if (any) {
            extent.first = static_cast<std::int64_t>(std::floor(least)) - lead - 1 - kMargin;
            extent.length =
                static_cast<std::int64_t>(std::floor(most)) - lead + taps + kMargin - extent.first;
        }
        extents[i] = extent;
    }
};

/// The fields of scatterers, [field][phase][sample]. Phase q lies q / fineness samples later.
struct Fields {
    const Extent* extents;
    double* values;
    std::int64_t room;
    std::int64_t fineness;

    ECHOLUX_HD double* row(std::int64_t field, std::int64_t phase) const {
        return values + field * room + phase * extents[field].length;
    }
};

/// Builds the field of one transmit at one scatterer from the pulses that arrive.
struct BuildField {
    Arrivals arrivals;
    Fields fields;
    const double* table;
    double phases;
    std::int64_t taps;
    std::int64_t lead;

    template <class Lanes>
    ECHOLUX_HD void operator()(std::int64_t field, const Lanes& lanes) const {
        const Extent extent = fields.extents[field];
        for (std::int64_t phase = 0; phase < fields.fineness; ++phase) {
            double* const row = fields.row(field, phase);
            for (std::int64_t n = lanes.startAt(0); n < extent.length; n += Lanes::step)
                row[n] = 0.0;
        }
        const std::int64_t points = arrivals.paths.points;
        const std::int64_t point = field % points;
        const double* const pulses = table + arrivals.points[point].pulse;
        arrivals.forEach(field / points, point, [&](double sample, double gain) {
            for (std::int64_t phase = 0; phase < fields.fineness; ++phase) {
                const double position =
                    sample - static_cast<double>(phase) / static_cast<double>(fields.fineness);
                const double whole = std::floor(position);
                const auto shape = static_cast<std::int64_t>((position - whole) * phases + 0.5);
                const double* const pulse = pulses + shape * taps;
                const std::int64_t start = static_cast<std::int64_t>(whole) - lead - extent.first;
                double* const out = fields.row(field, phase) + start;
                for (std::int64_t tap = lanes.startAt(start) - start; tap < taps;
                     tap += Lanes::step)
                    out[tap] += gain * pulse[tap];
            }
        });
    }
};

/// Turns fields u, with their quadrature v, into the real or the imaginary part of (u + j v)^2,
/// times the strength of the scatterer.
struct SquareField {
    const EchoPoint* points;
    std::int64_t count; ///< of points
    Fields fields;
    const double* turned; ///< v, in the order of the fields' values
    bool imaginary;

    template <class Lanes>
    ECHOLUX_HD void operator()(std::int64_t field, const Lanes& lanes) const {
        const double strength = points[field % count].strength;
        double* const own = fields.row(field, 0);
        const double* const quadrature = turned + (own - fields.values);
        const std::int64_t length = fields.fineness * fields.extents[field].length;
        for (std::int64_t n = lanes.startAt(0); n < length; n += Lanes::step) {
            const double u = own[n];
            const double v = quadrature[n];
            own[n] = strength * (imaginary ? 2.0 * u * v : u * u - v * v);
        }
    }
};

} // namespace echolux::echoes
