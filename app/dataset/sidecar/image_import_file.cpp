// SPDX-License-Identifier: GPL-3.0-or-later
// Images that a user described: opened, stored beside the file, and read again.
#include "app/dataset/frames/image_import.hpp"

#include "app/dataset/sidecar/described_array.hpp"
#include "app/dataset/sidecar/described_rows.hpp"
#include "app/dataset/sidecar/image_recording.hpp"
#include "app/dataset/sidecar/kept_sidecar.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numbers>
#include <utility>

namespace echolux {

namespace {

/// Takes the angles of all lines where the sidecar lists them, else the first and the last of
/// evenly spaced angles. False where an ImageImport cannot hold them.
bool takeAngles(ImageImport& import, const Sidecar& sidecar) {
    if (!sidecar.isSector()) return true;
    const std::int64_t lines = sizeOf(import, ArrayAxis::Lateral, -1);
    import.lines = ImageImport::Lines::FanOut;
    for (const char* key : {"image.angles", "image.angle_first", "image.angle_step"})
        if (sidecar.numbers(key).isNamed()) return false;
    import.anglesRad = sidecar.numbers("image.angles").values;
    if (sidecar.has("image.angles")) return lines >= 0 && std::ssize(import.anglesRad) == lines;
    const double across =
        static_cast<double>(lines - 1) * sidecar.numbers("image.angle_step").values.front();
    const double first = sidecar.has("image.angle_first")
                             ? sidecar.numbers("image.angle_first").values.front()
                             : -0.5 * across;
    import.anglesRad = {first};
    if (lines > 1) import.anglesRad.push_back(first + across);
    return lines >= 0;
}

std::optional<ImageImport> imageImportOf(const Sidecar& sidecar,
                                         const std::shared_ptr<const InputFile>& file) {
    ImageImport import;
    if (!sidecar.image || !takeArray(import, sidecar, file) || !takeAngles(import, sidecar))
        return std::nullopt;
    const bool plain =
        takeSidecar(import, sidecar,
                    {"data.array", "image.angles", "image.angles_deg", "image.angle_first",
                     "image.angle_first_deg", "image.angle_step", "image.angle_step_deg"});
    return plain ? std::optional(import) : std::nullopt;
}

/// The angles as a list, or as the first one and the step of evenly spaced ones.
void addAngles(std::vector<SidecarEntry>& entries, const ImageImport& import) {
    if (import.lines != ImageImport::Lines::FanOut) return;
    constexpr double kDegrees = 180.0 / std::numbers::pi;
    const auto& angles = import.anglesRad;
    const std::int64_t lines = sizeOf(import, ArrayAxis::Lateral, -1);
    if (angles.size() == 2 && lines > 2) {
        const double gap = (angles[1] - angles[0]) / static_cast<double>(lines - 1);
        entries.emplace_back("image.angle_first_deg", fmt::format("{:.12g}", angles[0] * kDegrees));
        entries.emplace_back("image.angle_step_deg", fmt::format("{:.15g}", gap * kDegrees));
        return;
    }
    // A single angle is written as a list too.
    std::vector<std::string> words;
    for (const double angle : angles) words.push_back(fmt::format("{:.12g}", angle * kDegrees));
    entries.emplace_back("image.angles_deg", fmt::format("[{}]", fmt::join(words, ", ")));
}

} // namespace

std::string toSidecar(const ImageImport& import) {
    std::vector<SidecarEntry> entries = entriesOf(import);
    if (!import.name.empty()) entries.emplace_back("data.array", inQuotes(import.name));
    addAngles(entries, import);
    return sidecarText(entries);
}

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
