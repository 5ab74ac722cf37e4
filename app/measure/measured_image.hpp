// SPDX-License-Identifier: GPL-3.0-or-later
// One image as measurements read it: levels of pixels on two axes. Across and down these are
// lengths, or time and depth (M-mode), or time and velocity (sonogram); `lateral` is always the one
// across. An image of a sector has a second form: the samples along its beams.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echolux::measure {

/// A place in the image, in the units of its axes.
struct Place {
    double lateral = 0.0;
    double depth = 0.0;
    double elevation = 0.0; ///< in volumes
    bool operator==(const Place&) const = default;
};

/// What an axis of an image measures, and in which unit.
enum class Quantity {
    Length,   ///< "mm"; "px" where the image has no scale
    Time,     ///< "ms"; "frames" where the time between them is unknown
    Velocity, ///< "cm/s"; "rad" (per frame) where the time between frames is unknown
};

/// Pixel number n of an axis lies at start + n * step. The step of velocities is negative: they
/// fall from row to row.
struct PixelAxis {
    double start = 0.0;
    double step = 1.0;
    std::int64_t size = 0;
    Quantity quantity = Quantity::Length;
    std::string unit = "mm";

    double at(std::int64_t n) const { return start + step * static_cast<double>(n); }
    double indexOf(double place) const { return (place - start) / step; }
};

/// Units of a measured axis per unit of the image's axis: 1000 for metres.
double measuredPerAxis(const Axis& axis);

class BeamGeometry;

struct MeasuredImage {
    PixelAxis lateral;                 ///< across; in beam space the number of the line
    PixelAxis depth;                   ///< down; in beam space the range along the lines
    PixelAxis elevation = {.size = 1}; ///< of a volume, from plane to plane
    /// Values are levels in dB. Otherwise they are proportional to the amplitude.
    bool isDb = false;
    std::vector<float> values = {}; ///< [depth][lateral]; of a volume [elevation][depth][lateral]
    /// Of the complex image that the amplitudes are made of; empty where it is not known.
    std::vector<std::complex<float>> phasors = {};
    /// In beam space: where the samples lie. Null: at the crossings of the axes.
    std::shared_ptr<const BeamGeometry> beams = {};
    /// The samples that scan conversion made the image of, in beam space. Null: none are known.
    std::shared_ptr<const MeasuredImage> lines = {};

    /// `values` as the pipeline's last stage leaves them, in the order of `spec`. Throws Error
    /// where the image is neither a plane nor a volume nor a view over time, or has lines that
    /// scan conversion has not placed yet. A value that is not a number is no data.
    static MeasuredImage of(const FrameSpec& spec, std::span<const float> values,
                            std::span<const std::complex<float>> phasors = {});
    /// An image in beam space, [depth][lateral].
    static MeasuredImage ofLines(const FrameSpec& spec, std::span<const float> values);

    /// What statistics and widths are measured on: `lines` where they are known.
    const MeasuredImage& samples() const { return lines != nullptr ? *lines : *this; }
    /// The same image with the depth d, of a sector the range along the beams, at
    /// `scale` d + `shift` mm.
    MeasuredImage moved(double scale, double shift) const;

    Place placeOf(std::int64_t row, std::int64_t column) const;
    double areaOf(std::int64_t row, std::int64_t column) const; ///< in squared units of the axes
    double finestStep() const; ///< distance of neighbouring samples, where they are densest

    float value(std::int64_t row, std::int64_t column) const {
        return values[static_cast<std::size_t>(row * lateral.size + column)];
    }
    /// Before compression to dB; a level of 0 dB has amplitude 1.
    double amplitude(std::int64_t row, std::int64_t column) const {
        return amplitudeOf(value(row, column));
    }
    double amplitudeOf(double value) const;
    double dbOf(double value) const; ///< 20 log10 of the amplitude
    bool contains(const Place& place) const;
    /// Bilinear between samples: of amplitudes, in views over time of levels. NaN beside data.
    /// Precondition: contains(place).
    double valueAt(const Place& place) const;
    /// The samples on other axes, NaN beside data.
    MeasuredImage onAxes(const PixelAxis& across, const PixelAxis& down) const;
    bool isVolume() const { return elevation.size > 1; }
    /// The plane nearest to an elevation. Throws Error where that lies outside the volume.
    MeasuredImage planeAt(double place) const;
    bool isOverTime() const { return lateral.quantity == Quantity::Time; }
    bool hasScale() const { return lateral.unit != "px"; }

private:
    double mixed(double row, double column) const;
};

} // namespace echolux::measure
