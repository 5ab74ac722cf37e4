// SPDX-License-Identifier: GPL-3.0-or-later
// Path length, directivity and spreading of rectangular and of long elements, for host and device.
#pragma once

#include "gpu/core/acquisition.hpp"
#include "gpu/core/portable.hpp"

#include <cmath>
#include <numbers>

namespace echolux::echoes {

struct ElementFace {
    Point centre;
    Point normal;
    Point along;  ///< unit vector along the width
    Point across; ///< unit vector along the height
    LongAxis line = LongAxis::None;
};

/// What all elements of an array have in common.
struct ElementShape {
    int parts = 1; ///< number of parts across the element
    double widthM = 0.0;
    double heightM = 0.0; ///< 0: unknown
    double partHeightM = 0.0;
    double focusM = 0.0; ///< focal depth of the lens; 0: no lens
    double wavelengthM = 0.0;
};

/// From one point to a part of an element.
struct ElementPath {
    double lengthM = 0.0; ///< including the lens
    double gain = 0.0;
};

ECHOLUX_HD inline double dot(const Point& a, const Point& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ECHOLUX_HD inline double sinc(double x) {
    const double angle = std::numbers::pi * x;
    return std::fabs(angle) < 1e-9 ? 1.0 : std::sin(angle) / angle;
}

/// 1 / r; 1 / sqrt(r) for lines and for elements of unknown height. It is 1 at 10 mm.
ECHOLUX_HD inline double spreading(const ElementShape& shape, double distanceM, LongAxis line) {
    constexpr double kReferenceM = 10e-3;
    const double ratio =
        kReferenceM / (distanceM < shape.wavelengthM ? shape.wavelengthM : distanceM);
    return line != LongAxis::None || shape.heightM == 0.0 ? std::sqrt(ratio) : ratio;
}

/// True where a point lies beside a line and not beyond its ends.
ECHOLUX_HD inline bool isBeside(const Point& offset, LongAxis line, double halfLengthM) {
    return std::fabs(line == LongAxis::Lateral ? offset.x : offset.y) <= halfLengthM;
}

/// The path of app/source/element_response.hpp.
ECHOLUX_HD inline ElementPath elementPath(const ElementShape& shape, const ElementFace& face,
                                          std::int64_t part, const Point& from) {
    const double count = static_cast<double>(shape.parts);
    const double aside = (static_cast<double>(part) - 0.5 * (count - 1.0)) * shape.partHeightM;
    Point to{from.x - face.centre.x - aside * face.across.x,
             from.y - face.centre.y - aside * face.across.y,
             from.z - face.centre.z - aside * face.across.z};
    if (face.line != LongAxis::None) {
        if (shape.heightM > 0.0 && !isBeside(to, face.line, 0.5 * shape.heightM)) return {1.0, 0.0};
        (face.line == LongAxis::Lateral ? to.x : to.y) = 0.0;
    }
    const double distanceM = std::sqrt(dot(to, to));
    if (!(distanceM > 0.0)) return {1.0, 0.0};
    const double cosine = dot(to, face.normal) / distanceM;
    double lens = 0.0;
    double slope = 0.0; // sine of the angle by which the lens tilts the part
    if (shape.focusM > 0.0) {
        const double toFocusM = std::hypot(shape.focusM, aside);
        lens = shape.focusM - toFocusM;
        slope = aside / toFocusM;
    }
    if (cosine <= 0.0) return {distanceM + lens, 0.0};
    double gain = spreading(shape, distanceM, face.line) * cosine *
                  sinc(shape.widthM * dot(to, face.along) / distanceM / shape.wavelengthM);
    if (face.line == LongAxis::None) {
        gain *= sinc(shape.partHeightM * (dot(to, face.across) / distanceM + slope) /
                     shape.wavelengthM) /
                count;
    }
    return {distanceM + lens, gain};
}

} // namespace echolux::echoes
