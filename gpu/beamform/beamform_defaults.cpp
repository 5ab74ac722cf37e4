// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_defaults.hpp"

#include "gpu/beamform/beamform_blend.hpp"
#include "gpu/beamform/beamform_check.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_reach.hpp"
#include "gpu/beamform/beamform_reading.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux::das {
namespace {

/// Row height for complex pixels. Echoes from 0.5 to 1.5 times the centre frequency fill spatial
/// frequencies up to 1 / lambda on both sides of the carrier, because the path goes there and back.
/// (Where sound travels one way, lambda stands for two wavelengths.) Rows of lambda / 2 hold them,
/// and rows of lambda / 4 hold their squared magnitude. Deep images may go to lambda / 2. Shallow
/// images have few rows, so theirs may be finer.
double envelopeRow(double depth, double lambda) {
    constexpr double kRowsWanted = 384.0;
    constexpr double kRowsEnough = 640.0;
    const double fine = std::clamp(depth / kRowsWanted, lambda / 8.0, lambda / 4.0);
    return std::max(fine, std::min(depth / kRowsEnough, lambda / 2.0));
}

/// scan_conversion interpolates sectors between their samples. With samples no farther apart than
/// this, the level of a point as wide as pulse and beam allow stays within 0.2 dB.
constexpr double kSectorRow = 0.15;         ///< wavelengths, divided by the relative bandwidth
constexpr double kCoarsestRow = 0.25;       ///< wavelengths
constexpr double kSectorLine = 0.45;        ///< wavelength / aperture
constexpr std::int64_t kFewestFanned = 192; ///< lines of a fan
constexpr std::int64_t kMostFanned = 1024;
constexpr std::int64_t kMostOwn = 16; ///< lines that one transmit images
constexpr double kBlendable = 1.0;    ///< beamSpacing() that still tells the field between beams

constexpr double kPhasedPitch = 0.75;   ///< wavelengths: elements this close are meant to steer
constexpr double kWidestAngle = 0.8;    ///< rad; limit of a sector that no one has set
constexpr std::size_t kFewestLines = 8; ///< focused transmits that make an image line by line

/// Voxels are shown as they are. With these distances a point halfway between them loses
/// kLossDeepDb and twice kLossAcrossDb.
constexpr double kVoxelRow = 0.08;   ///< wavelengths, divided by the relative bandwidth
constexpr double kRealRow = 0.125;   ///< wavelengths, of real echoes at most
constexpr double kVoxelAcross = 0.2; ///< widths of a beam
constexpr double kLossDeepDb = 0.2;
constexpr double kLossAcrossDb = 0.15;
constexpr double kMostVoxels = 2e6; ///< of default volumes; beyond it all three grow

enum class Bend { Flat, Convex, Concave };

/// The faces of a convex array point away from its middle, those of a concave one towards it.
Bend bendOf(const Probe& probe) {
    const auto [left, right] = std::ranges::minmax(probe.elements, {}, &Point::x);
    const double middle = 0.5 * (left.x + right.x);
    const std::vector<Point> normals = faceNormals(probe);
    double outwards = 0.0;
    for (std::size_t e = 0; e < normals.size(); ++e)
        outwards += normals[e].x * (probe.elements[e].x - middle);
    return outwards > 0.0 ? Bend::Convex : outwards < 0.0 ? Bend::Concave : Bend::Flat;
}

/// Whether elements of a concave array look at each other from all sides, as those of a ring do,
/// and lie round places that an image can show.
bool surrounds(const Probe& probe) {
    constexpr double kAside = 0.1;
    const std::vector<Point> normals = faceNormals(probe);
    const auto [up, down] = std::ranges::minmax(normals, {}, &Point::z);
    return isInOnePlane(probe) && up.z < -kAside && down.z > kAside &&
           std::ranges::max(probe.elements, {}, &Point::z).z > 0.0;
}

/// Sets the inside of a ring. All its elements count, because sound goes out to all sides.
void setInside(BeamformParams& params, const Probe& probe) {
    const auto [top, bottom] = std::ranges::minmax(probe.elements, {}, &Point::z);
    params.depthMinM = std::max(top.z, 0.0);
    params.depthMaxM = std::min(bottom.z, 2.0);
    params.fNumber = 0.0;
}

/// Sets pixels as high as wide, and so large that the inside of a large ring can still move live.
void setSquares(BeamformParams& params) {
    constexpr double kMostPixels = 1e6;
    const double area =
        (params.depthMaxM - params.depthMinM) * (params.lateralMaxM - params.lateralMinM);
    params.pixelLateralM = std::max(std::min(params.pixelLateralM, params.pixelDepthM),
                                    wholeMicrometres(std::sqrt(area / kMostPixels)));
    params.pixelDepthM = params.pixelLateralM;
}

/// Whether waves diverge from an array of elements close enough to steer. Of single elements they
/// do in tissue; in metal such arrays image what lies below them.
bool isPhased(const Acquisition& acquisition, double lambda) {
    constexpr double kFastestTissueMps = 2000.0;
    const double pitch = acquisition.probe.pitchM;
    const bool diverge =
        allAre(acquisition, Wave::Diverging) ||
        (allAre(acquisition, Wave::Element) && acquisition.soundSpeedMps < kFastestTissueMps);
    return pitch > 0.0 && pitch < kPhasedPitch * lambda && diverge;
}

/// Sets a sector as wide as the waves of virtual sources open, or as the faces of a curved array
/// point.
void setAngles(BeamformParams& params, const Acquisition& acquisition) {
    const Probe& probe = acquisition.probe;
    double widest = 0.0;
    for (const Point& n : faceNormals(probe))
        widest = std::max(widest, std::atan2(std::abs(n.x), n.z));
    if (widest == 0.0) {
        for (const Transmit& t : acquisition.transmits) {
            for (const Point* e : {&probe.elements.front(), &probe.elements.back()})
                widest = std::max(widest, std::abs(std::atan2(e->x - t.source.x, -t.source.z)));
        }
        widest = std::min(widest, kWidestAngle);
    }
    // Whole hundredths of a degree read well.
    const double step = std::numbers::pi / 18000.0;
    params.angleMaxRad = std::ceil(widest / step) * step;
    params.angleMinRad = -params.angleMaxRad;
}

double widthOf(const Probe& probe) {
    const auto [left, right] = std::ranges::minmax(probe.elements, {}, &Point::x);
    return right.x - left.x;
}

/// Width of the elements that hear one transmit, at most. m
double receiveWidth(const FrameSpec& input) {
    const Probe& probe = input.acquisition->probe;
    const double width = widthOf(probe);
    if (input.acquisition->receiveElements.empty() || !(probe.pitchM > 0.0)) return width;
    return std::min(width, static_cast<double>(input.sizeOf(AxisName::Channel)) * probe.pitchM);
}

/// The smallest angle that a receive beam spans, seen from the apex at the distance R behind the
/// face. rad. At the range r the f-number F opens an aperture of r / F, but no more than the width
/// W of the elements that hear. Its beam is lambda max(F, r / W) wide. Seen from the apex it is
/// narrowest at r = F W, where the aperture reaches W, or at an end of the ranges where the array
/// is concave and R negative. Without an f-number the aperture is W everywhere, and points nearer
/// than W are not resolved better.
double narrowestBeam(const BeamformParams& params, const FrameSpec& input, double radius,
                     double lambda) {
    const double width = std::max(receiveWidth(input), lambda);
    const double fNumber = params.fNumber > 0.0 ? params.fNumber : 1.0;
    const double reached = std::clamp(fNumber * width, params.depthMinM, params.depthMaxM);
    double narrowest = std::numeric_limits<double>::max();
    for (const double range : {params.depthMinM, reached, params.depthMaxM}) {
        const double beam = lambda * std::max(fNumber, range / width);
        narrowest = std::min(narrowest, beam / std::max(std::abs(radius + range), lambda));
    }
    return narrowest;
}

/// Sets the number of lines of a fan so that they sample the beam, or the number per transmit where
/// transmits have lines of their own.
void setLines(BeamformParams& params, const FrameSpec& input, double lambda) {
    const BeamLines own = beamLines(input, params);
    const Sector& sector = *own.sector;
    const double finest = kSectorLine * narrowestBeam(params, input, sector.radiusM, lambda);
    const auto lines = [&](double angle) {
        return static_cast<std::int64_t>(std::ceil(std::min(angle / finest, 1e6)));
    };
    if (params.transmitAperture != TransmitAperture::OwnLines) {
        params.lines = std::clamp(lines(params.angleMaxRad - params.angleMinRad) + 1, kFewestFanned,
                                  kMostFanned);
    } else if (sector.hasOneApex()) {
        double widest = 0.0;
        for (std::size_t i = 1; i < sector.lines(); ++i)
            widest = std::max(widest, sector.anglesRad[i] - sector.anglesRad[i - 1]);
        params.linesPerTransmit = std::clamp<std::int64_t>(lines(widest), 1, kMostOwn);
        params.blendsBeams = params.linesPerTransmit > 1 &&
                             beamSpacing(*input.acquisition, own.order, lambda) <= kBlendable;
    }
}

/// Extent of a volume along an axis: as far as the waves go. Row-column arrays image only in front
/// of the array, so there it is the extent of the elements.
Reach volumeReach(const Acquisition& acquisition, double Point::*axis, double depth,
                  double lambda) {
    constexpr double kFarthest = 1.0;
    constexpr double kStep = 1e-4; // whole tenths of a millimetre read well
    if (!acquisition.probe.longAxes.empty()) {
        const auto [first, last] = std::ranges::minmax(acquisition.probe.elements, {}, axis);
        return {first.*axis, last.*axis};
    }
    const Reach reach = reachOf(acquisition, axis, depth, lambda);
    return {std::max(std::floor(reach.min / kStep) * kStep, -kFarthest),
            std::min(std::ceil(reach.max / kStep) * kStep, kFarthest)};
}

double extentOf(const Probe& probe, double Point::*axis) {
    const auto [first, last] = std::ranges::minmax(probe.elements, {}, axis);
    return last.*axis - first.*axis;
}

/// Distance of voxels along an axis across the beams. It follows from the narrowest beam that one
/// aperture makes, which is lambda max(F, r / W) wide, see narrowestBeam(). Where many waves make
/// an aperture that sends, its beam narrows the image, too: plane waves between the slopes s1 and
/// s2 are an f-number of 1 / (s2 - s1), and other waves are taken for one like that of the array.
double voxelAcross(const BeamformParams& params, const Acquisition& acquisition,
                   double Point::*axis, double lambda) {
    const double width = std::max(extentOf(acquisition.probe, axis), lambda);
    const double heard =
        1.0 / std::max(params.fNumber > 0.0 ? params.fNumber : 1.0, params.depthMinM / width);
    double sent = acquisition.transmits.size() > 1 && !isOneWay(acquisition) ? heard : 0.0;
    if (!acquisition.probe.longAxes.empty()) sent = 0.0;
    if (allAre(acquisition, Wave::Plane)) {
        double least = std::numeric_limits<double>::max();
        double most = std::numeric_limits<double>::lowest();
        for (const Transmit& t : acquisition.transmits) {
            const Point way = direction(t, acquisition.steering);
            least = std::min(least, way.*axis / way.z);
            most = std::max(most, way.*axis / way.z);
        }
        sent = std::min(sent, most - least);
    }
    return kVoxelAcross * lambda / std::hypot(heard, sent);
}

void setVolume(BeamformParams& params, const FrameSpec& input, double lambda) {
    const Acquisition& acquisition = *input.acquisition;
    const Reach lateral = volumeReach(acquisition, &Point::x, params.depthMaxM, lambda);
    const Reach elevation = volumeReach(acquisition, &Point::y, params.depthMaxM, lambda);
    params.grid = PixelGrid::Volume;
    if (allAre(acquisition, Wave::Focused)) params.transmitAperture = TransmitAperture::Shadow;
    params.elevationMinM = elevation.min;
    params.elevationMaxM = elevation.max;
    params.lateralMinM = lateral.min;
    params.lateralMaxM = lateral.max;
    const FineVoxel fine = fineVoxel(input, params);
    const double deep = isComplex(input.dtype)
                            ? fine.deep
                            : std::min(fine.deep, kRealRow * 2.0 / waysOf(acquisition) * lambda);
    const auto voxels = [](double extent, double voxel) { return extent / voxel + 1.0; };
    const double count = voxels(lateral.max - lateral.min, fine.wide) *
                         voxels(elevation.max - elevation.min, fine.high) *
                         voxels(params.depthMaxM - params.depthMinM, deep);
    const double coarser = std::max(1.0, std::cbrt(count / kMostVoxels));
    const auto pixel = [coarser](double size) {
        return std::clamp(wholeMicrometres(coarser * size), 1e-6, 0.01);
    };
    params.pixelElevationM = pixel(fine.high);
    params.pixelLateralM = pixel(fine.wide);
    params.pixelDepthM = pixel(deep);
}

/// Sets the ranges along transmits' own lines that the records hold.
void setRanges(BeamformParams& params, const FrameSpec& input) {
    const double c = params.soundSpeedMps;
    const double record =
        static_cast<double>(input.sizeOf(AxisName::Sample) - 1) / input.samplingFrequencyHz();
    double nearest = std::numeric_limits<double>::max();
    double farthest = 0.0;
    for (const Transmit& t : input.acquisition->transmits) {
        const double path = beamPath(*input.acquisition, t);
        nearest = std::min(nearest, 0.5 * (c * t.firstSampleS - path));
        farthest = std::max(farthest, 0.5 * (c * (t.firstSampleS + record) - path));
    }
    params.depthMinM = std::clamp(nearest, 0.001, 1.0);
    params.depthMaxM = std::clamp(farthest, params.depthMinM + 1e-3, 2.0);
}

/// Whether the transmits' own lines make an image.
bool haveOwnLines(const FrameSpec& input, BeamformParams params) {
    params.grid = PixelGrid::Beams;
    params.transmitAperture = TransmitAperture::OwnLines;
    setRanges(params, input);
    try {
        beamLines(input, params);
    } catch (const Error&) { // the lines cross
        return false;
    }
    return true;
}

/// Sets the grid that suits the array and its transmits.
void setGrid(BeamformParams& params, const FrameSpec& input, double lambda) {
    const Acquisition& acquisition = *input.acquisition;
    const Bend bend = bendOf(acquisition.probe);
    const double axial = axialWavelength(input, params.soundSpeedMps);
    if (bend == Bend::Concave) { // its beams meet in front of it, so that they make no sector
        const bool inside = surrounds(acquisition.probe);
        if (inside) setInside(params, acquisition.probe);
        const double wide = voxelAcross(params, acquisition, &Point::x, lambda);
        params.pixelLateralM = std::min(params.pixelLateralM, wholeMicrometres(wide));
        params.pixelDepthM =
            std::min(params.pixelDepthM, wholeMicrometres(kVoxelRow / params.bandwidth * axial));
        if (inside) setSquares(params);
    }
    if (!isInOnePlane(acquisition.probe)) {
        setVolume(params, input, lambda);
    } else if (allAre(acquisition, Wave::Focused) && acquisition.transmits.size() >= kFewestLines) {
        if (bend == Bend::Concave || !haveOwnLines(input, params)) {
            params.transmitAperture = TransmitAperture::Shadow;
            return;
        }
        params.grid = PixelGrid::Beams;
        params.transmitAperture = TransmitAperture::OwnLines;
        setRanges(params, input);
    } else if (bend == Bend::Convex || (bend == Bend::Flat && isPhased(acquisition, lambda))) {
        params.grid = PixelGrid::Beams;
        setAngles(params, acquisition);
    }
    if (params.grid != PixelGrid::Beams) return;
    if (!fansOut(input, params)) return;
    const double row = std::min(kSectorRow / params.bandwidth, kCoarsestRow) * axial;
    params.pixelDepthM = std::min(params.pixelDepthM, wholeMicrometres(row));
    setLines(params, input, lambda);
}

} // namespace

BeamformParams defaultParams(const FrameSpec& input) {
    BeamformParams params;
    checkGeometry(input);
    checkSampling(input);
    const Acquisition& acquisition = *input.acquisition;
    if (std::isfinite(acquisition.soundSpeedMps)) {
        params.soundSpeedMps = std::clamp(acquisition.soundSpeedMps, 1000.0, 7000.0);
    }
    const double c = params.soundSpeedMps;
    const auto& elements = acquisition.probe.elements;
    const auto [first, last] = std::ranges::minmax(elements, {}, &Point::x);
    const double lambda = wavelength(input, c);
    const double aperture = std::max(last.x - first.x, 4.0 * lambda);
    const double centre = 0.5 * (first.x + last.x);
    params.lateralMinM = std::max(-1.0, centre - 0.5 * aperture);
    params.lateralMaxM = std::min(1.0, centre + 0.5 * aperture);
    const double gaps = std::max(1.0, static_cast<double>(elements.size()) - 1.0);
    params.pixelLateralM = std::clamp(aperture / (gaps * std::ceil(250.0 / gaps)), 1e-6, 0.01);

    const double fs = input.samplingFrequencyHz();
    double from = std::numeric_limits<double>::max();
    double until = 0.0;
    for (const Transmit& t : acquisition.transmits) {
        from = std::min(from, t.firstSampleS);
        until = std::max(until, t.firstSampleS +
                                    static_cast<double>(input.sizeOf(AxisName::Sample) - 1) / fs);
    }
    const double fall = c / waysOf(acquisition); // of the depth, per second
    const double axial = axialWavelength(input, c);
    params.depthMinM = std::clamp(fall * from, 0.001, 1.0);
    params.depthMaxM = std::clamp(fall * until, params.depthMinM + 4.0 * lambda, 2.0);
    const double depth = params.depthMaxM - params.depthMinM;
    const double pixel =
        isComplex(input.dtype) ? envelopeRow(depth, axial) : std::max(axial / 8.0, depth / 4096.0);
    params.pixelDepthM = std::clamp(wholeMicrometres(pixel), 1e-6, 0.01);
    params.bandwidth = std::clamp(usualBandwidth(input), kLeastBandwidth, kMostBandwidth);
    setGrid(params, input, lambda);
    return params;
}

FineVoxel fineVoxel(const FrameSpec& input, const BeamformParams& params) {
    const double lambda = wavelength(input, params.soundSpeedMps);
    return {voxelAcross(params, *input.acquisition, &Point::x, lambda),
            voxelAcross(params, *input.acquisition, &Point::y, lambda),
            kVoxelRow / params.bandwidth * axialWavelength(input, params.soundSpeedMps)};
}

double voxelLossDb(const FrameSpec& input, const BeamformParams& params) {
    const FineVoxel fine = fineVoxel(input, params);
    const auto square = [](double voxel, double of) { return (voxel / of) * (voxel / of); };
    return kLossDeepDb * square(params.pixelDepthM, fine.deep) +
           kLossAcrossDb * (square(params.pixelLateralM, fine.wide) +
                            square(params.pixelElevationM, fine.high));
}

} // namespace echolux::das
