// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data that a user described: opened, stored beside the file, and read again.
#include "app/dataset/frames/channel_import.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/container/detect.hpp"
#include "app/dataset/sidecar/described_array.hpp"
#include "app/dataset/sidecar/kept_sidecar.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "app/dataset/sidecar/sidecar_recording.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

/// True where the sidecar states facts that a ChannelImport cannot hold.
bool hasOthers(const Sidecar& sidecar) {
    for (const NumberSource* source : {&sidecar.codeScale,
                                       &sidecar.converterRange,
                                       &sidecar.elements,
                                       &sidecar.x,
                                       &sidecar.y,
                                       &sidecar.z,
                                       &sidecar.elementWidthM,
                                       &sidecar.elementHeightM,
                                       &sidecar.elevationFocusM,
                                       &sidecar.fractionalBandwidth,
                                       &sidecar.elementCount,
                                       &sidecar.rowsPerBlock,
                                       &sidecar.gapM,
                                       &sidecar.normals,
                                       &sidecar.offsetSamples,
                                       &sidecar.elevations,
                                       &sidecar.sources,
                                       &sidecar.origins,
                                       &sidecar.apodization,
                                       &sidecar.activeFirst,
                                       &sidecar.fired,
                                       &sidecar.delays,
                                       &sidecar.delaySpeedMps,
                                       &sidecar.samplingIntervalS,
                                       &sidecar.receiveElements,
                                       &sidecar.receiveFirst,
                                       &sidecar.rangeWeights})
        if (source->given()) return true;
    using Clock = Sidecar::Clock;
    if (sidecar.clock != Clock::WaveAtOrigin && sidecar.clock != Clock::FirstElementFires)
        return true;
    return sidecar.spectra || sidecar.image || sidecar.rowColumn || sidecar.firstElement != 0.0 ||
           !sidecar.transmitArrays.empty() || !sidecar.elementColumns.empty() ||
           !sidecar.longAxes.empty() || !sidecar.title.empty() || !sidecar.probeName.empty() ||
           sidecar.arrays.size() > 1 || sidecar.phaseZero != Sidecar::PhaseZero::WaveAtOrigin ||
           (!sidecar.arrays.empty() && sidecar.arrays[0].find('{') != std::string::npos);
}

std::optional<ChannelImport> importOf(const Sidecar& sidecar,
                                      const std::shared_ptr<const InputFile>& file) {
    if (hasOthers(sidecar)) return std::nullopt;
    ChannelImport import;
    if (!takeArray(import, sidecar, file)) return std::nullopt;
    bool plain = true;
    const auto number = [&](const NumberSource& source, double otherwise = 0.0) {
        return plainNumber(source, otherwise, plain);
    };
    import.soundSpeedMps = number(sidecar.soundSpeedMps, 1540.0);
    import.samplingFrequencyHz = number(sidecar.samplingFrequencyHz);
    import.centreFrequencyHz = number(sidecar.centreFrequencyHz);
    import.centreEstimated = sidecar.centreEstimated;
    import.demodulationFrequencyHz = number(sidecar.demodulationFrequencyHz);
    import.frameRateHz = number(sidecar.frameRateHz);
    if (sidecar.firstSampleS.given()) import.firstSampleS = sidecar.firstSampleS.values;
    import.firstElementFires = sidecar.clock == Sidecar::Clock::FirstElementFires;
    import.pitchM = number(sidecar.pitchM);
    import.radiusM = number(sidecar.radiusM);
    import.pitchYM = number(sidecar.pitchYM);
    import.columns = std::llround(number(sidecar.columns));
    import.rows = std::llround(number(sidecar.rows));
    import.array = import.columns > 0        ? ChannelImport::Array::Matrix
                   : sidecar.radiusM.given() ? ChannelImport::Array::Convex
                                             : ChannelImport::Array::Linear;
    import.wave = sidecar.wave;
    import.anglesRad = sidecar.angles.values;
    import.focusM = number(sidecar.focus);
    plain = plain && sidecar.firstSampleS.from.empty() && sidecar.angles.from.empty();
    return plain ? std::optional(import) : std::nullopt;
}

} // namespace

std::unique_ptr<Recording> openChannelImport(const std::shared_ptr<const InputFile>& file,
                                             const ChannelImport& import,
                                             std::shared_ptr<ArrayContainer> container) {
    const Sidecar sidecar = parseSidecar(toSidecar(import), "your description");
    return openDescribed(file, containerFor(import, file, std::move(container)), sidecar,
                         import.headerless() ? "Headerless binary" : "Array");
}

std::filesystem::path writeChannelImport(const std::filesystem::path& file,
                                         const ChannelImport& import) {
    const auto data = std::make_shared<const InputFile>(file);
    const auto refuse = [&](const std::string& why) {
        return Error(fmt::format("The description of '{}' was not kept: {}", file.string(), why));
    };
    const ChannelFit fit = checkChannelImport(import, data->size());
    if (!fit.fits) throw refuse(fit.sentence);
    try {
        openChannelImport(data, import);
    } catch (const Error& error) {
        throw refuse(error.what());
    }
    return keepSidecar(file, data->size(), "channel data as they were described",
                       toSidecar(import));
}

std::optional<ChannelImport> readChannelImport(const std::filesystem::path& file) {
    try {
        const auto data = std::make_shared<const InputFile>(file);
        if (const auto sidecar = findSidecar(file, data->size(), std::nullopt))
            return importOf(*sidecar, data);
    } catch (const Error&) { // reported where the file is opened
    }
    return std::nullopt;
}

} // namespace echolux
