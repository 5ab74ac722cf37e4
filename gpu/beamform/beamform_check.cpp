// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_check.hpp"

#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_model.hpp"
#include "gpu/beamform/beamform_reading.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::das {
namespace {

constexpr std::int64_t kMaxPixels = std::int64_t{64} << 20;
constexpr std::int64_t kMaxRows = 65535; // a CUDA grid has no more blocks in y, and some kernels
                                         // need one per row
constexpr double kMiB = 1 << 20;
constexpr double kMaxTableBytes = 4096.0 * kMiB;

[[noreturn]] void refuseEmpty(double min, double max, const char* what, const char* keys,
                              double scale, const char* unit) {
    throw Error(fmt::format("beamform: the image from {:g} to {:g} {} {} is empty; make {}.",
                            scale * min, scale * max, unit, what, keys));
}

/// Number of columns of all slices.
std::int64_t columnsOf(const FrameSpec& input, const BeamformParams& params) {
    if (params.grid == PixelGrid::Beams) {
        if (params.transmitAperture == TransmitAperture::OwnLines) {
            const std::int64_t beams = input.sizeOf(AxisName::Transmit);
            return (params.blends() ? beams - 1 : beams) * params.linesPerTransmit;
        }
        if (!(params.angleMaxRad > params.angleMinRad)) {
            refuseEmpty(params.angleMinRad, params.angleMaxRad, "between its outer lines",
                        "angle_max greater than angle_min", 180.0 / std::numbers::pi, "degrees");
        }
        return params.lines;
    }
    if (!(params.lateralMaxM > params.lateralMinM)) {
        refuseEmpty(params.lateralMinM, params.lateralMaxM, "laterally",
                    "lateral_max greater than lateral_min", 1e3, "mm");
    }
    const std::int64_t columns =
        pixelCount(params.lateralMinM, params.lateralMaxM, params.pixelLateralM);
    if (params.grid == PixelGrid::Image || columns > kMaxPixels) return columns;
    if (!(params.elevationMaxM > params.elevationMinM)) {
        refuseEmpty(params.elevationMinM, params.elevationMaxM, "in elevation",
                    "elevation_max greater than elevation_min", 1e3, "mm");
    }
    return columns * pixelCount(params.elevationMinM, params.elevationMaxM, params.pixelElevationM);
}

void checkTable(const FrameSpec& input, const BeamformParams& params, std::int64_t columns,
                std::int64_t rows) {
    if (params.delays == DelaySource::Kernel) return;
    const std::int64_t elements = std::ssize(input.acquisition->probe.elements);
    const std::int64_t transmits = input.sizeOf(AxisName::Transmit);
    const bool full = params.delays == DelaySource::Full;
    const std::int64_t lines = full ? elements * transmits : elements + transmits;
    const double bytes = 4.0 * static_cast<double>(columns * rows) * static_cast<double>(lines);
    if (bytes <= kMaxTableBytes) return;
    throw Error(fmt::format(
        "beamform: a {}delay table for {} x {} pixels and {} lines takes {:.0f} MiB, more than "
        "{:.0f}; set delays to {}, or make the image smaller.",
        full ? "full " : "", columns, rows, lines, bytes / kMiB, kMaxTableBytes / kMiB,
        full ? "table or kernel" : "kernel"));
}

void checkGrid(const FrameSpec& input, const BeamformParams& params) {
    if (!(params.depthMaxM > params.depthMinM)) {
        refuseEmpty(params.depthMinM, params.depthMaxM, "in depth",
                    "depth_max greater than depth_min", 1e3, "mm");
    }
    const std::int64_t columns = columnsOf(input, params);
    const std::int64_t rows = pixelCount(params.depthMinM, params.depthMaxM, params.pixelDepthM);
    if (columns > kMaxPixels || rows > kMaxRows || columns * rows > kMaxPixels) {
        if (params.grid == PixelGrid::Volume) {
            throw Error(fmt::format("beamform: voxels of {:g} x {:g} x {:g} mm make a volume of "
                                    "more than {} million voxels or {} rows of depth; make "
                                    "pixel_lateral, pixel_elevation or pixel_depth greater or the "
                                    "volume smaller.",
                                    1e3 * params.pixelLateralM, 1e3 * params.pixelElevationM,
                                    1e3 * params.pixelDepthM, kMaxPixels >> 20, kMaxRows));
        }
        throw Error(fmt::format("beamform: pixels of {:g} x {:g} mm make an image of more than {} "
                                "million pixels or {} rows; "
                                "make pixel_lateral or pixel_depth greater or the image smaller.",
                                1e3 * params.pixelLateralM, 1e3 * params.pixelDepthM,
                                kMaxPixels >> 20, kMaxRows));
    }
    checkTable(input, params, columns, rows);
}

/// Tries 17 pixels along each axis, at even distances from edge to edge.
bool anyWaveReaches(const FrameSpec& input, const BeamformParams& params) {
    constexpr int kTried = 17;
    const Model model = makeModel(input, params);
    const Constants k = model.onHost();
    const auto tried = [](int i, int size) { return i * (size - 1) / (kTried - 1); };
    for (int i = 0; i < kTried * kTried * kTried; ++i) {
        const Place place =
            k.grid.at(tried(i % kTried, k.grid.lateral), tried(i / kTried % kTried, k.grid.depth),
                      tried(i / kTried / kTried, k.grid.elevation));
        for (int t = 0; t < k.transmits; ++t) {
            if (reaches(k, t, place)) return true;
        }
    }
    return k.transmits == 0;
}

} // namespace

void checkSampling(const FrameSpec& input) {
    const std::int64_t samples = input.sizeOf(AxisName::Sample);
    const double fs = input.samplingFrequencyHz();
    if (samples < 1 || samples > (1 << 22)) {
        throw Error(fmt::format("Stage 'beamform' takes records of 1 to {} samples, but these have "
                                "{}; check the recording's shape.",
                                1 << 22, samples));
    }
    if (!(fs > 0.0) || !std::isfinite(fs)) {
        throw Error("Stage 'beamform' needs a positive sampling frequency, but the recording gives "
                    "none; state it in the recording or its sidecar file.");
    }
    if (!std::isfinite(input.demodulationFrequencyHz)) {
        throw Error("Stage 'beamform' found a demodulation frequency that is not a finite number; "
                    "correct it in the recording or its sidecar file.");
    }
}

void checkBeamformable(const FrameSpec& input, const BeamformParams& asked) {
    checkGeometry(input);
    checkSampling(input);
    const BeamformParams params = onDataGrid(input, asked);
    checkGrid(input, params);
    checkReading(input, params);
    const auto transmits = std::ssize(input.acquisition->transmits);
    if (!params.transmits.fits(transmits)) {
        throw Error(fmt::format("beamform: the mask 'transmits' has {} entries for {} transmits; "
                                "give one each, or one of "
                                "{}.",
                                params.transmits.entries.size(), transmits,
                                fmt::join(Mask::kWords, ", ")));
    }
    if (params.transmitAperture == TransmitAperture::OwnLines && params.grid != PixelGrid::Beams) {
        throw Error("beamform: transmits have lines of their own on a grid of beams only; set grid "
                    "to beams, or transmit_aperture to everywhere or shadow.");
    }
    if (params.transmitAperture == TransmitAperture::OwnLines &&
        params.travelTime == TravelTime::Back) {
        throw Error("beamform: transmits with lines of their own time their wave along the line, "
                    "which travel_time = back leaves out; set travel_time to both, or "
                    "transmit_aperture to everywhere or shadow.");
    }
    const bool silent = std::ranges::any_of(input.acquisition->transmits,
                                            [](const Transmit& t) { return t.wave == Wave::None; });
    if (silent && params.transmitAperture == TransmitAperture::OwnLines) {
        throw Error("beamform: nothing was sent, so there is no beam whose lines could be imaged; "
                    "set transmit_aperture to everywhere.");
    }
    if (silent && params.travelTime == TravelTime::Back) {
        throw Error("beamform: nothing was sent, so sound travels one way, and travel_time = back "
                    "would count that way twice; set travel_time to both.");
    }
    if (params.transmitAperture == TransmitAperture::OwnLines && params.blends() &&
        params.delays != DelaySource::Kernel) {
        throw Error("beamform: lines that take from several beams have no table of delays; set "
                    "delays to kernel, or switch blend_beams off.");
    }
    if (params.grid == PixelGrid::Beams && !isInOnePlane(input.acquisition->probe)) {
        throw Error("beamform: beams fan out in the plane of an array, but this one's elements "
                    "differ in elevation; set grid to volume or image.");
    }
    if (params.transmitAperture == TransmitAperture::Shadow && !anyWaveReaches(input, params)) {
        throw Error("beamform: no transmit's wave passes through the image; move the image, or set "
                    "transmit_aperture to everywhere.");
    }
    if (params.compounding == Compounding::Incoherent && !isComplex(input.dtype)) {
        throw Error(
            "beamform: incoherent compounding adds magnitudes, which need IQ data, but what "
            "reaches it is RF; choose coherent compounding, or the pipeline 'rf'.");
    }
}

std::vector<std::string> warningsOf(const FrameSpec& input, const BeamformParams& params) {
    // Where the path goes there and back, frequencies up to 1.5 times the centre need rows of
    // lambda / 6 or less.
    const double lambda = axialWavelength(input, params.soundSpeedMps);
    std::vector<std::string> warnings;
    if (!isComplex(input.dtype) && onDataGrid(input, params).pixelDepthM > lambda / 6.0)
        warnings.push_back(fmt::format(
            "beamform: rows of {:.4g} mm are too coarse for the carrier of summed RF, so that its "
            "envelope is wrong; set pixel_depth to {:g} mm or less, or choose the pipeline 'rf', "
            "which is right with any rows.",
            1e3 * params.pixelDepthM, 1e3 * wholeMicrometres(lambda / 8.0)));
    constexpr double kUsualLossDb = 0.55; // of default voxels, which are whole micrometres
    const double loss = params.grid == PixelGrid::Volume ? voxelLossDb(input, params) : 0.0;
    if (loss > kUsualLossDb) {
        const FineVoxel fine = fineVoxel(input, params);
        warnings.push_back(fmt::format(
            "beamform: a point between voxels of {:.3g} x {:.3g} x {:.3g} mm loses up to {:.1f} "
            "dB, and 0.5 dB where pixel_lateral, pixel_elevation and pixel_depth are {:.3g}, "
            "{:.3g} and {:.3g} mm; set them so, in a smaller volume where memory ends.",
            1e3 * params.pixelLateralM, 1e3 * params.pixelElevationM, 1e3 * params.pixelDepthM,
            loss, 1e3 * fine.wide, 1e3 * fine.high, 1e3 * fine.deep));
    }
    return warnings;
}

} // namespace echolux::das
