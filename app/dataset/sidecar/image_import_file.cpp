// SPDX-License-Identifier: GPL-3.0-or-later
// Images that a user described: opened, stored beside the file, and read again.
#include "app/dataset/frames/image_import.hpp"

#include "app/dataset/sidecar/described_array.hpp"
#include "app/dataset/sidecar/image_recording.hpp"
#include "app/dataset/sidecar/kept_sidecar.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {

namespace {

std::optional<double> maybeNumber(const NumberSource& source, bool& plain) {
    if (!source.given()) return std::nullopt;
    return plainNumber(source, 0.0, plain);
}

/// The angles of all lines where the sidecar lists them, else the first and the last of evenly
/// spaced angles. Sets `plain` to false where an ImageImport cannot hold them.
std::vector<double> anglesOf(const ImageSidecar& image, std::int64_t lines, bool& plain) {
    if (image.angles.given()) {
        plain = plain && !image.angles.isNamed() && std::ssize(image.angles.values) == lines;
        return image.angles.values;
    }
    const double gap = plainNumber(image.angleStep, 0.0, plain);
    const double across = static_cast<double>(lines - 1) * gap;
    const double first = plainNumber(image.angleFirst, -0.5 * across, plain);
    if (lines < 2) return {first};
    return {first, first + across};
}

std::optional<ImageImport> imageImportOf(const Sidecar& sidecar,
                                         const std::shared_ptr<const InputFile>& file) {
    if (!sidecar.image || sidecar.converterRange.given() || !sidecar.title.empty())
        return std::nullopt;
    const ImageSidecar& image = *sidecar.image;
    ImageImport import;
    if (!takeArray(import, sidecar, file)) return std::nullopt;
    bool plain = true;
    const auto number = [&](const NumberSource& source, double otherwise = 0.0) {
        return plainNumber(source, otherwise, plain);
    };
    import.form = image.form;
    import.codeScale = number(sidecar.codeScale, 1.0);
    import.depthStepM = number(image.depthStepM);
    import.samplingFrequencyHz = number(image.samplingFrequencyHz);
    import.soundSpeedMps = number(sidecar.soundSpeedMps, 1540.0);
    import.depthFirstM = number(image.depthFirstM);
    import.lateralStepM = number(image.lateralStepM);
    import.lateralFirstM = maybeNumber(image.lateralFirstM, plain);
    import.elevationStepM = number(image.elevationStepM);
    import.elevationFirstM = maybeNumber(image.elevationFirstM, plain);
    if (image.isSector()) {
        const std::int64_t lines = sizeOf(import, ArrayAxis::Lateral, -1);
        if (lines < 0) return std::nullopt;
        import.lines = ImageImport::Lines::FanOut;
        import.anglesRad = anglesOf(image, lines, plain);
    }
    if (image.apex.given()) {
        if (image.apex.isNamed() || image.apex.values.size() != 2) return std::nullopt;
        import.apexXM = image.apex.values[0];
        import.apexZM = image.apex.values[1];
    }
    import.radiusM = number(image.radiusM);
    import.centreFrequencyHz = number(image.centreFrequencyHz);
    import.demodulationFrequencyHz = number(image.demodulationFrequencyHz);
    import.shownRangeDb = image.shownRangeDb.values;
    import.frameRateHz = number(image.frameRateHz);
    return plain && !image.shownRangeDb.isNamed() ? std::optional(import) : std::nullopt;
}

} // namespace

std::unique_ptr<Recording> openImageImport(const std::shared_ptr<const InputFile>& file,
                                           const ImageImport& import,
                                           std::shared_ptr<ArrayContainer> container) {
    const Sidecar sidecar = parseSidecar(toSidecar(import), "your description");
    return openImages(file, containerFor(import, file, std::move(container)), sidecar,
                      import.headerless() ? "Headerless binary" : "Array");
}

std::filesystem::path writeImageImport(const std::filesystem::path& file,
                                       const ImageImport& import) {
    const auto data = std::make_shared<const InputFile>(file);
    const auto refuse = [&](const std::string& why) {
        return Error(fmt::format("The description of '{}' was not kept: {}", file.string(), why));
    };
    const ImageFit fit = checkImageImport(import, data->size());
    if (!fit.fits) throw refuse(fit.sentence);
    try {
        openImageImport(data, import);
    } catch (const Error& error) {
        throw refuse(error.what());
    }
    return keepSidecar(file, data->size(), "images as they were described", toSidecar(import));
}

std::optional<ImageImport> readImageImport(const std::filesystem::path& file) {
    try {
        const auto data = std::make_shared<const InputFile>(file);
        if (const auto sidecar = findSidecar(file, data->size(), std::nullopt))
            return imageImportOf(*sidecar, data);
    } catch (const Error&) { // reported where the file is opened
    }
    return std::nullopt;
}

} // namespace echolux
