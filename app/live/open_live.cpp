// SPDX-License-Identifier: GPL-3.0-or-later
// Reads addresses.
#include "app/live/open_live.hpp"

#include "app/live/camera_address.hpp"
#include "app/live/echo_source.hpp"
#include "app/live/network_sources.hpp"
#include "app/live/oct_source.hpp"
#include "app/live/plugin_sources.hpp"
#include "app/live/replay_source.hpp"
#include "app/live/shared_source.hpp"
#include "app/network/address_options.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace echolux {
namespace {

constexpr std::string_view kSimulator = "simulator";
constexpr std::string_view kShared = "shared:";
constexpr std::string_view kReplay = "replay:";

/// Screens that are asked for without a strength have the one of `echolux simulate --screen`.
void takeScreens(AddressOptions& options, EchoSourceSetup& setup) {
    if (options.has("screens") && !options.has("screen") && !options.has("screen_gain"))
        setup.screenDelayS = ScreenDesign{}.delayRmsS;
    options.take("wall", setup.wall);
    if (options.has("screens")) options.take("screens", setup.screens.emplace());
    options.take("screen", setup.screenDelayS, 1e-9);
    options.take("screen_gain", setup.screenGainDb);
    options.take("screen_depth", setup.screenDepthM, 1e-3);
    options.take("screen_length", setup.screenLengthM, 1e-3);
    setup.screensOnSent = options.takeWord("screens_on", {"both", "receive"}) != "receive";
}

std::unique_ptr<LiveSource> simulator(const std::string& address, Backend backend) {
    const std::string_view text(address);
    const auto question = text.find('?');
    std::string_view kind = text.substr(0, question).substr(kSimulator.size());
    if (kind.starts_with(':')) kind.remove_prefix(1);
    AddressOptions options(address,
                           question == std::string_view::npos ? "" : text.substr(question + 1));
    if (kind.empty() || kind == "echoes") {
        EchoSourceSetup setup;
        options.take("elements", setup.elements);
        options.take("waves", setup.waves);
        options.take("depth", setup.depthM, 1e-3);
        options.take("fc", setup.centreFrequencyHz, 1e6);
        options.take("rate", setup.frameRateHz);
        options.take("phantom", setup.phantom);
        options.take("density", setup.scatterersPerSquareWavelength);
        takeScreens(options, setup);
        options.checkAllTaken();
        return std::make_unique<EchoSource>(setup, address, backend);
    }
    if (kind == "oct") {
        OctSourceSetup setup;
        options.take("sample", setup.sample);
        options.take("device", setup.preset);
        options.take("lines", setup.lines);
        options.take("rate", setup.frameRateHz);
        options.take("places", setup.places);
        options.take("repeats", setup.repeats);
        options.checkAllTaken();
        return std::make_unique<OctSource>(setup, address);
    }
    throw Error(
        fmt::format("'{}' names no simulator: choose simulator:echoes or simulator:oct.", address));
}

} // namespace

bool isLiveAddress(std::string_view text) {
    return text == kSimulator || text.starts_with("simulator:") || text.starts_with("simulator?") ||
           text.starts_with(kShared) || text.starts_with(kReplay) || isNetworkAddress(text) ||
           isCameraAddress(text) || isPluginAddress(text);
}

void checkLiveAddress(const std::string& text) {
    if (!isLiveAddress(text))
        throw Error(
            fmt::format("'{}' is no address of a live source; it begins with simulator:, "
                        "shared:, replay:, camera:, igtl: or zmq: (echolux help live), or with the "
                        "name of the source of a plugin, loaded by --plugin or Pipeline > "
                        "Load a plugin.",
                        text));
}

std::optional<std::filesystem::path> replayedFile(const std::string& address) {
    if (!address.starts_with(kReplay)) return std::nullopt;
    return address.substr(kReplay.size());
}

std::vector<std::pair<std::string, std::string>> liveAddressKinds() {
    std::vector<std::pair<std::string, std::string>> kinds{
        {"simulator:echoes", "a linear array over a phantom that moves"},
        {"simulator:oct", "an OCT device over a retina that moves"},
        {"shared:NAME", "frames that another program writes to shared memory"},
        {"replay:FILE", "a recording as if it were live"},
        {"camera:NAME", "spectra of a line-scan camera, GigE Vision or USB3 Vision"},
        {"igtl:HOST:PORT", "images of a server of OpenIGTLink, such as Plus or 3D Slicer"},
        {"zmq:HOST:PORT", "arrays that another program publishes by ZeroMQ"}};
    for (auto& kind : pluginAddressKinds()) kinds.push_back(std::move(kind));
    return kinds;
}

bool hasWriter(std::string_view address) { return address.starts_with(kShared); }

std::unique_ptr<LiveSource> liveSource(const std::string& address, Backend backend,
                                       const std::stop_token& stop) {
    if (address.starts_with(kShared)) {
        const std::string name = address.substr(kShared.size());
        if (name.empty() || name.find('/') != std::string::npos)
            throw Error(fmt::format("'{}' names no shared memory: write shared:NAME, without a "
                                    "slash, with the name that its writer uses.",
                                    address));
        return std::make_unique<SharedSource>(name, address, SharedSource::kPatienceS, stop);
    }
    if (const auto file = replayedFile(address))
        return std::make_unique<ReplaySource>(openRecording(*file), address);
    if (isNetworkAddress(address)) return networkSource(address, stop);
    if (isCameraAddress(address)) return cameraSource(address);
    if (isPluginAddress(address)) return pluginSource(address);
    return simulator(address, backend);
}

std::unique_ptr<LiveRecording> openLive(const std::string& address, Backend backend,
                                        const LivePlace& place, const std::stop_token& stop) {
    return std::make_unique<LiveRecording>(liveSource(address, backend, stop), place);
}

} // namespace echolux
