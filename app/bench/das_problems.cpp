// SPDX-License-Identifier: GPL-3.0-or-later
// The delay-and-sum problems: sizes, arrays, grids.
#include "app/bench/das.hpp"

#include "gpu/beamform/beamform_tuned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <numbers>

namespace echolux {
namespace {

struct Scan {
    int elements = 128;
    double pitchM = 0.3e-3;
    int samples = 1536;
    double fsHz = 20.832e6;
    double soundSpeedMps = 1540.0;
    double centreFrequencyHz = 5.208e6;
    int transmits = 1;
    double greatestAngleDeg = 0.0;
};

FrameSpec inputOf(const Scan& scan, DType dtype) {
    auto acquisition = std::make_shared<Acquisition>();
    for (int e = 0; e < scan.elements; ++e) {
        acquisition->probe.elements.push_back(
            {(e - 0.5 * (scan.elements - 1)) * scan.pitchM, 0.0, 0.0});
    }
    for (int t = 0; t < scan.transmits; ++t) {
        const double along = scan.transmits > 1 ? 2.0 * t / (scan.transmits - 1) - 1.0 : 0.0;
        Transmit transmit;
        transmit.angleRad = along * scan.greatestAngleDeg * std::numbers::pi / 180.0;
        acquisition->transmits.push_back(transmit);
    }
    acquisition->soundSpeedMps = scan.soundSpeedMps;
    FrameSpec spec;
    spec.dtype = dtype;
    spec.axes = {{AxisName::Transmit, scan.transmits, 1.0, 0.0, ""},
                 {AxisName::Channel, scan.elements, 1.0, 0.0, ""},
                 {AxisName::Sample, scan.samples, 1.0 / scan.fsHz, 0.0, "s"}};
    spec.centreFrequencyHz = scan.centreFrequencyHz;
    spec.demodulationFrequencyHz = isComplex(dtype) ? scan.centreFrequencyHz : 0.0;
    spec.acquisition = acquisition;
    return spec;
}

struct PixelCounts {
    int columns;
    int rows;
    double halfWidthM;
    double topM;
    double bottomM;
};

BeamformParams paramsOf(const PixelCounts& image, double fNumber, double soundSpeedMps) {
    BeamformParams params;
    params.soundSpeedMps = soundSpeedMps;
    params.fNumber = fNumber;
    params.lateralMinM = -image.halfWidthM;
    params.lateralMaxM = image.halfWidthM;
    params.depthMinM = image.topM;
    params.depthMaxM = image.bottomM;
    params.pixelLateralM = 2.0 * image.halfWidthM / (image.columns - 1);
    params.pixelDepthM = (image.bottomM - image.topM) / (image.rows - 1);
    return params;
}

std::vector<DasProblem> planarProblems(bool reduced) {
    // D1, D2: the array, sampling and grid of the PICMUS recordings. D3: the course's sizes,
    // sampled at 65 MHz so that 8192 samples cover the image. D4: a Doppler ensemble of a small
    // disk.
    const PixelCounts picmus{387, 609, 19.05e-3, 5e-3, 50e-3};
    const PixelCounts course{256, 1024, 19.05e-3, 5e-3, 95e-3};
    // An analytic signal needs half of the rows or fewer.
    const PixelCounts picmusHalf{387, 305, 19.05e-3, 5e-3, 50e-3};
    const PixelCounts cine{253, 418, 9.45e-3, 2.3e-3, 34.4e-3};
    const PixelCounts disk{251, 251, 12.5e-3, 10e-3, 35e-3};
    Scan many;
    many.transmits = reduced ? 5 : 75;
    many.greatestAngleDeg = 16.0;
    Scan three;
    three.samples = 8192;
    three.fsHz = 65e6;
    three.transmits = 3;
    three.greatestAngleDeg = 10.0;
    Scan bundled; // the cine that the program contains
    bundled.elements = 64;
    bundled.samples = 899;
    bundled.fsHz = 20e6;
    bundled.centreFrequencyHz = 5e6;
    bundled.greatestAngleDeg = 8.0;
    Scan bundledThree = bundled;
    bundledThree.transmits = 3;
    Scan doppler;
    doppler.pitchM = 0.298e-3;
    doppler.samples = 960;
    doppler.fsHz = 20e6;
    doppler.soundSpeedMps = 1480.0;
    doppler.centreFrequencyHz = 5e6;
    const int frames = reduced ? 1 : das::kEnsembleFrames;
    const std::string waves = fmt::format("{} plane waves", many.transmits);
    const std::string ensemble = fmt::format("{} frame{}", frames, frames == 1 ? "" : "s");
    return {
        {"D1", "live frame, RF, 1 plane wave, f-number 1.4", inputOf({}, DType::F32),
         paramsOf(picmus, 1.4, 1540.0), 1},
        {"D2", "RF, " + waves + ", f-number 1.4", inputOf(many, DType::F32),
         paramsOf(picmus, 1.4, 1540.0), 1},
        {"D2a", "RF, " + waves + ", full aperture", inputOf(many, DType::F32),
         paramsOf(picmus, 0.0, 1540.0), 1},
        {"D3", "RF, 3 plane waves of 8192 samples, full aperture", inputOf(three, DType::F32),
         paramsOf(course, 0.0, 1540.0), 1},
        {"D4", "IQ, " + ensemble + ", f-number 1", inputOf(doppler, DType::ComplexF32),
         paramsOf(disk, 1.0, 1480.0), frames},
        {"D4r", "RF, " + ensemble + ", f-number 1", inputOf(doppler, DType::F32),
         paramsOf(disk, 1.0, 1480.0), frames},
        {"A1", "D1 by analytic signals, half the rows", inputOf({}, DType::ComplexF32),
         paramsOf(picmusHalf, 1.4, 1540.0), 1},
        {"A2", "D2 by analytic signals, half the rows", inputOf(many, DType::ComplexF32),
         paramsOf(picmusHalf, 1.4, 1540.0), 1},
        {"A2a", "D2a by analytic signals, half the rows", inputOf(many, DType::ComplexF32),
         paramsOf(picmusHalf, 0.0, 1540.0), 1},
        {"C1", "small live frame, analytic, 1 plane wave, f-number 1.4",
         inputOf(bundled, DType::ComplexF32), paramsOf(cine, 1.4, 1540.0), 1},
        {"C3", "the same, 3 plane waves", inputOf(bundledThree, DType::ComplexF32),
         paramsOf(cine, 1.4, 1540.0), 1},
    };
}

struct Voxels {
    int across; ///< in x and in y
    int rows;
    double halfWidthM;
    double topM;
    double bottomM;
};

BeamformParams paramsOf(const Voxels& volume, double fNumber) {
    BeamformParams params = paramsOf(
        PixelCounts{volume.across, volume.rows, volume.halfWidthM, volume.topM, volume.bottomM},
        fNumber, 1540.0);
    params.grid = PixelGrid::Volume;
    params.elevationMinM = params.lateralMinM;
    params.elevationMaxM = params.lateralMaxM;
    params.pixelElevationM = params.pixelLateralM;
    return params;
}

/// The scan with another array. It has as many channels as `change` leaves elements, unless
/// `change` lists the element that each channel hears.
FrameSpec withArray(const Scan& scan, DType dtype,
                    const std::function<void(Acquisition&)>& change) {
    FrameSpec spec = inputOf(scan, dtype);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    change(*acquisition);
    const auto channels = acquisition->receiveElements.empty()
                              ? std::ssize(acquisition->probe.elements)
                              : std::ssize(acquisition->receiveElements) / scan.transmits;
    spec.axes[1].size = channels;
    spec.acquisition = std::move(acquisition);
    return spec;
}

void makeMatrix(Acquisition& acquisition, int side, double pitchM) {
    auto& elements = acquisition.probe.elements;
    elements.clear();
    for (int i = 0; i < side * side; ++i) {
        elements.push_back({(i % side - 0.5 * (side - 1)) * pitchM,
                            (static_cast<double>(i / side) - 0.5 * (side - 1)) * pitchM, 0.0});
    }
}

/// Columns, which are long in y, fire plane waves. The same number of rows listen.
void makeRowColumn(Acquisition& acquisition) {
    Probe& probe = acquisition.probe;
    const auto lines = static_cast<std::int32_t>(probe.elements.size());
    probe.longAxes.assign(probe.elements.size(), LongAxis::Elevation);
    for (std::int32_t e = 0; e < lines; ++e) {
        probe.elements.push_back({0.0, probe.elements[static_cast<std::size_t>(e)].x, 0.0});
        probe.longAxes.push_back(LongAxis::Lateral);
    }
    for (std::size_t t = 0; t < acquisition.transmits.size(); ++t) {
        for (std::int32_t e = 0; e < lines; ++e) acquisition.receiveElements.push_back(lines + e);
    }
}

/// Focused beams in directions from -40 to 40 degrees.
void sweepFocus(Acquisition& acquisition) {
    const auto count = static_cast<double>(acquisition.transmits.size());
    double i = 0.0;
    for (Transmit& t : acquisition.transmits) {
        const double angle = (2.0 * i / std::max(1.0, count - 1.0) - 1.0) * 0.7;
        t.wave = Wave::Focused;
        t.source = {0.05 * std::sin(angle), 0.0, 0.05 * std::cos(angle)};
        i += 1.0;
    }
}

BeamformParams sectorOf(int lines, int rows, double topM, double bottomM) {
    BeamformParams params = paramsOf(PixelCounts{2, rows, 0.01, topM, bottomM}, 0.0, 1540.0);
    params.grid = PixelGrid::Beams;
    params.lines = lines;
    return params;
}

BeamformParams ownLinesOf(int perTransmit, int rows, double bottomM) {
    BeamformParams params = sectorOf(2, rows, 1e-3, bottomM);
    params.transmitAperture = TransmitAperture::OwnLines;
    params.linesPerTransmit = perTransmit;
    return params;
}

std::vector<DasProblem> spatialProblems(bool reduced) {
    const auto matrix = [&](Acquisition& a) { makeMatrix(a, reduced ? 8 : 32, 0.3e-3); };
    const int side = reduced ? 16 : 64;
    const Voxels cube{side, side, 9.6e-3, 5e-3, 30e-3};
    const Voxels large{reduced ? 16 : 128, reduced ? 16 : 128, 12.7e-3, 5e-3, 30e-3};
    Scan single;
    single.samples = 1024;
    Scan demodulated = single;
    demodulated.samples = 256;
    demodulated.fsHz = 5.208e6;
    Scan crossed = single;
    crossed.pitchM = 0.2e-3;
    crossed.transmits = reduced ? 2 : 16;
    crossed.greatestAngleDeg = 15.0;
    Scan phased;
    phased.pitchM = 0.148e-3;
    Scan focused = phased;
    focused.transmits = reduced ? 3 : 64;
    Scan gronvold = phased; // four times as many samples, as after upsampling
    gronvold.samples = reduced ? 2048 : 4 * 5120;
    gronvold.fsHz = 160e6;
    gronvold.soundSpeedMps = 1560.0;
    gronvold.transmits = reduced ? 2 : 32;
    BeamformParams growing = ownLinesOf(4, 1024, 50e-3);
    growing.fNumber = 1.4;
    BeamformParams sixteen = ownLinesOf(16, reduced ? 512 : 5120, reduced ? 9e-3 : 99e-3);
    sixteen.soundSpeedMps = 1560.0;
    sixteen.window = ApodizationWindow::Hann;
    BeamformParams coherent = paramsOf({387, 609, 19.05e-3, 5e-3, 50e-3}, 1.4, 1540.0);
    coherent.coherenceFactor = true;
    BeamformParams lagrange = paramsOf({387, 609, 19.05e-3, 5e-3, 50e-3}, 1.4, 1540.0);
    lagrange.interpolation = DelayInterpolation::Lagrange;
    BeamformParams sinc = lagrange;
    sinc.interpolation = DelayInterpolation::Sinc;
    BeamformParams incoherent = paramsOf({387, 305, 19.05e-3, 5e-3, 50e-3}, 1.4, 1540.0);
    incoherent.compounding = Compounding::Incoherent;
    Scan many;
    many.transmits = reduced ? 5 : 75;
    many.greatestAngleDeg = 16.0;
    const int frames = reduced ? 1 : das::kEnsembleFrames;
    const auto diverge = [](Acquisition& a) {
        a.transmits[0] = {.wave = Wave::Diverging, .source = {0.0, 0.0, -10e-3}};
    };
    return {
        {"D5", "volume, matrix array, 1 plane wave, full aperture",
         withArray(single, DType::F32, matrix), paramsOf(cube, 0.0), 1},
        {"D6", fmt::format("volume, matrix array, IQ, {} frames, f-number 1", frames),
         withArray(demodulated, DType::ComplexF32, matrix), paramsOf(cube, 1.0), frames},
        {"R1", "volume, row-column array, plane waves, full aperture",
         withArray(crossed, DType::F32, makeRowColumn), paramsOf(large, 0.0), 1},
        {"P1", "sector, phased array, 1 diverging wave", withArray(phased, DType::F32, diverge),
         sectorOf(reduced ? 64 : 256, 1024, 1e-3, 50e-3), 1},
        {"P2", "sector of focused lines, 4 per transmit",
         withArray(focused, DType::F32, sweepFocus), ownLinesOf(4, 1024, 50e-3), 1},
        {"P3", "P2 with a growing aperture, f-number 1.4",
         withArray(focused, DType::F32, sweepFocus), growing, 1},
        {"G1", "16 lines per transmit, weights, upsampled (Gronvold 2008)",
         withArray(gronvold, DType::F32, sweepFocus), sixteen, 1},
        {"K1", "D1 with the coherence factor", inputOf({}, DType::F32), coherent, 1},
        {"L1", "D1 by Lagrange interpolation of order 3", inputOf({}, DType::F32), lagrange, 1},
        {"S1", "D1 by a truncated sinc of 8 taps", inputOf({}, DType::F32), sinc, 1},
        {"I1", "A2, incoherent", inputOf(many, DType::ComplexF32), incoherent, 1},
    };
}

} // namespace

std::vector<DasProblem> dasProblems(bool reduced) {
    std::vector<DasProblem> all = planarProblems(reduced);
    std::ranges::move(spatialProblems(reduced), std::back_inserter(all));
    return all;
}

} // namespace echolux
