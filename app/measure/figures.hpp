// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of each kind of measurement. Each throws Error, one sentence, where a shape cannot be
// measured. Statistics are of amplitudes before compression to dB. `image` may be in beam space
// where MeasuredImage::samples() is measured. Definitions with their sources stand in
// resources/help/measure.md.
#pragma once

#include "app/measure/measurement.hpp"

#include <complex>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace echolux::measure {

/// The value of a figure that the image does not have, for example a width that is not reached.
inline constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::vector<Figure> figuresOfRegion(const MeasuredImage& image, const Measurement& region);
std::vector<Figure> figuresOfPoint(const MeasuredImage& image, const Measurement& point);
std::vector<Figure> figuresOfLine(const MeasuredImage& image, const Measurement& line);
/// Point and line in a view over time: figuresOfPoint() and figuresOfLine() call them.
std::vector<Figure> figuresOfMoment(const MeasuredImage& image, const Measurement& point);
std::vector<Figure> figuresOfCourse(const MeasuredImage& image, const Measurement& line);
std::vector<Figure> figuresOfPolyline(const MeasuredImage& image, const Measurement& line);
std::vector<Figure> figuresOfAngle(const MeasuredImage& image, const Measurement& angle);
/// Of a plane its area, of a volume its volume.
std::vector<Figure> figuresOfBlob(const MeasuredImage& image, const Measurement& blob);
/// Point, blob, line and polyline in a volume.
std::vector<Figure> figuresInVolume(const MeasuredImage& volume, const Measurement& made);
std::vector<Figure> figuresOfCalliper(const MeasuredImage& image, const Measurement& calliper);
std::vector<Figure> figuresOfEnvelope(const MeasuredImage& image, const Measurement& envelope);
/// Its maximum, and then its mean.
std::vector<std::vector<Place>> tracesOfEnvelope(const MeasuredImage& image,
                                                 const Measurement& envelope);
std::vector<Figure> figuresOfContrast(const MeasuredImage& image, const Measurement& inside,
                                      const Measurement& outside);

/// Of `mirror`, a point, over `noise`, a region.
std::vector<Figure> figuresOfSensitivity(const MeasuredImage& image, const Measurement& sensitivity,
                                         const Measurement& mirror, const Measurement& noise);

/// Index into the values of the brightest pixel, or voxel, near a point or blob. Throws Error where
/// none lies there.
std::size_t brightestPixel(const MeasuredImage& image, const Measurement& point);

/// Standard deviation of the differences between successive phases, about their mean [rad]. NaN for
/// fewer than three values, and where one is 0.
double phaseStability(const std::vector<std::complex<float>>& values);

/// One sentence where the echo that a shape is about lies at the shape's edge, so that its peak may
/// lie beyond: of a point or blob the brightest pixel, of a region one that stands out of speckle.
/// Else empty.
std::string doubtAtEdge(const MeasuredImage& image, const Measurement& shape);

/// Indices into the image's values of the pixels whose centres lie in a region, and that have a
/// value.
std::vector<std::size_t> pixelsIn(const MeasuredImage& image, const Measurement& region);

/// Amplitudes of the pixels in a region that have a value. Throws Error where fewer than two do.
std::vector<double> amplitudesIn(const MeasuredImage& image, const Measurement& region);

struct FittedLine {
    double slope = 0.0;
    double deviation = 0.0; ///< RMS of the distances from the line, along y
};
/// Least squares. NaN for fewer than two places, and where all x are the same.
FittedLine lineThrough(const std::vector<double>& x, const std::vector<double>& y);

/// The crossings of `levelDb` below the peak on both sides of sample `peak`, as fractional numbers
/// of samples, with straight lines between samples. `peakDb` is the level of the peak. NaN: a side
/// has no crossing.
struct Crossings {
    double before = kNothing;
    double after = kNothing;
};
Crossings crossingsBelowPeak(const std::vector<double>& db, std::size_t peak, double peakDb,
                             double levelDb);
/// Width between them, in samples.
double widthBelowPeak(const std::vector<double>& db, std::size_t peak, double peakDb,
                      double levelDb);

/// A line of the image through a pixel, in dB, with the place of the pixel in it. It ends where
/// there is no data.
struct Cut {
    /// `places`: of each level, along the line.
    Cut(const std::vector<double>& levels, std::size_t pixel, const std::vector<double>& places);
    double width(double levelDb) const; ///< between the crossings, see crossingsBelowPeak()

    std::vector<double> db;
    std::vector<double> places;
    std::size_t peak = 0;
    double offset = 0.0; ///< from sample `peak` to the top of the parabola through its neighbours
    double top = 0.0;    ///< level there
};
/// Of all pixels of an axis.
std::vector<double> placesOn(const PixelAxis& axis);

/// From sample `peak` to the top of the parabola through it and its neighbours, at most half a
/// sample. 0 at the ends, and where they do not make a top.
double parabolaTop(const std::vector<double>& values, std::size_t peak);

/// The peaks of a course of levels that rise at least `prominenceDb` above the higher one of the
/// two valleys that part them from higher levels, as scipy.signal.find_peaks() defines the
/// prominence. Of a plateau the middle sample.
std::vector<std::size_t> prominentPeaks(const std::vector<double>& db, double prominenceDb);

/// The distance between the places where a profile has risen by 10 % and by 90 % from its one end
/// to its other, in samples. The levels of the ends are means over a fifth of the profile. NaN
/// where the ends do not differ.
double edgeWidth(const std::vector<double>& amplitudes);

} // namespace echolux::measure
