// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files of mirrors and returns their fringes.
#include "app/session/offline/mirror_recording.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/session/offline/offline.hpp"
#include "gpu/core/error.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>

#include <system_error>

namespace echolux {
namespace {

PipelineConfig mirrorPipeline(const Spectrometer& device) {
    PipelineConfig config;
    config.name = "mirror";
    const std::string& values = stageTypeWith<oct::SpectrumToFloatParams>().id;
    const std::string& background = stageTypeWith<oct::BackgroundParams>().id;
    config.stages = {{values, values, false, {}},
                     {background, background, device.background.empty(), {}}};
    return config;
}

FringePhase fringeIn(Recording& recording, const MirrorOptions& options, std::int64_t frame) {
    const FrameSpec& raw = recording.info().frame;
    const HostFrameData lines = processFrame(
        recording, instantiate(mirrorPipeline(*raw.spectrometer), raw), Backend::Cpu, frame);
    const auto* values = reinterpret_cast<const float*>(lines.bytes.data());
    return fringePhase({values, lines.bytes.size() / sizeof(float)}, raw.sizeOf(AxisName::Sample),
                       options);
}

bool sameFile(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code missing; // reported where the files are opened
    return std::filesystem::equivalent(a, b, missing);
}

} // namespace

MirrorMeasurement measureMirrors(std::span<const std::filesystem::path> files,
                                 const MirrorOptions& options, std::int64_t frame) {
    if (files.size() == 2 && sameFile(files[0], files[1])) {
        throw Error(fmt::format("Both mirrors are '{}'; choose a second recording, of a mirror on "
                                "the other side of zero delay.",
                                files[0].filename().string()));
    }
    MirrorMeasurement result;
    std::vector<FringePhase> fringes;
    for (const std::filesystem::path& file : files) {
        const auto recording = openRecording(file);
        const auto device = recording->info().frame.spectrometer;
        const std::string name = file.filename().string();
        if (!device) {
            throw Error(
                fmt::format("'{}' holds no OCT spectra; choose a recording of a mirror.", name));
        }
        fringes.push_back(fringeIn(*recording, options, frame));
        result.fringeBins.push_back(fringes.back().bin);
        Calibration& known = result.calibration;
        known.centreWavelengthM = device->centreWavelengthM;
        known.bandwidthM = device->bandwidthM;
        known.title += (known.title.empty() ? "estimated from " : " and ") + name;
    }
    if (fringes.empty() || fringes.size() > 2) {
        throw Error(fmt::format("A calibration takes one mirror or two, not {}; choose one "
                                "recording for each side of zero delay.",
                                fringes.size()));
    }
    result.estimate = fringes.size() == 1 ? estimateResampling(fringes[0])
                                          : estimateResampling(fringes[0], fringes[1]);
    result.calibration.resampling = result.estimate.resampling;
    result.calibration.dispersionRad = result.estimate.dispersionRad;
    return result;
}

} // namespace echolux
