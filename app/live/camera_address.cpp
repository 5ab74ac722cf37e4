// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/live/camera_address.hpp"

#include "app/live/camera/aravis_camera.hpp"
#include "app/live/camera_source.hpp"
#include "app/live/sidecar_option.hpp"
#include "app/network/address_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace echolux {
namespace {

constexpr std::string_view kCamera = "camera:";
constexpr std::string_view kList = "list";

std::optional<double> positive(AddressOptions& options, const char* name, double unit) {
    if (!options.has(name)) return std::nullopt;
    double value = 0.0;
    options.take(name, value, unit);
    if (!(value > 0.0)) throw options.refusal(name, "must be more than 0");
    return value;
}

CameraSpectra spectraIn(AddressOptions& options) {
    CameraSpectra spectra{.description = sidecarIn(options)};
    for (const char* name : {"wavelength", "bandwidth", "spacing"})
        if (!spectra.description.empty() && options.has(name))
            throw options.refusal(name, "and sidecar are both given: keep one");
    spectra.centreWavelengthM = positive(options, "wavelength", 1e-9).value_or(0.0);
    spectra.bandwidthM = positive(options, "bandwidth", 1e-9).value_or(0.0);
    spectra.lineSpacingM = positive(options, "spacing", 1e-6).value_or(0.0);
    return spectra;
}

} // namespace

bool isCameraAddress(std::string_view address) { return address.starts_with(kCamera); }

std::unique_ptr<LiveSource> cameraSource(const std::string& address) {
    const std::string_view text = std::string_view(address).substr(kCamera.size());
    const auto question = text.find('?');
    AddressOptions options(address,
                           question == std::string_view::npos ? "" : text.substr(question + 1));
    CameraSetup setup{.name = std::string(text.substr(0, question))};
    if (setup.name == kList) {
        options.checkAllTaken();
        const std::vector<std::string> found = camerasFound();
        if (found.empty()) throw Error("No camera was found.");
        throw Error(
            fmt::format("Cameras that were found: {}; write camera:NAME.", fmt::join(found, ", ")));
    }
    options.take("lines", setup.lines);
    if (setup.lines < 0) throw options.refusal("lines", "must be 0 or more");
    setup.rateHz = positive(options, "rate", 1.0);
    setup.exposureS = positive(options, "exposure", 1e-6);
    options.take("format", setup.format);
    const CameraSpectra spectra = spectraIn(options);
    options.checkAllTaken();
    return std::make_unique<CameraSource>(openAravisCamera(setup, address), spectra, address);
}

} // namespace echolux
