// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data that a user described: opened, stored beside the file, and read again.
#include "app/dataset/frames/channel_import.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/container/detect.hpp"
#include "app/dataset/sidecar/described_array.hpp"
#include "app/dataset/sidecar/described_rows.hpp"
#include "app/dataset/sidecar/kept_sidecar.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "app/dataset/sidecar/sidecar_recording.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace echolux {

namespace {

std::optional<ChannelImport> importOf(const Sidecar& sidecar,
                                      const std::shared_ptr<const InputFile>& file) {
    ChannelImport import;
    if (sidecar.spectra || sidecar.image || !takeArray(import, sidecar, file)) return std::nullopt;
    if (!takeSidecar(import, sidecar, {"data.array", "signal.centre_frequency_estimated"}))
        return std::nullopt;
    import.centreEstimated = sidecar.centreEstimated;
    import.array = import.columns > 0            ? ChannelImport::Array::Matrix
                   : sidecar.has("probe.radius") ? ChannelImport::Array::Convex
                                                 : ChannelImport::Array::Linear;
    return import;
}

} // namespace

std::string toSidecar(const ChannelImport& import) {
    std::vector<SidecarEntry> entries = entriesOf(import);
    if (!import.name.empty()) entries.emplace_back("data.array", inQuotes(import.name));
    if (import.centreEstimated && import.centreFrequencyHz > 0.0)
        entries.emplace_back("signal.centre_frequency_estimated", "true");
    return sidecarText(entries);
}

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
