// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about spectra. Facts that are unknown are missing from the file.
#include "app/dataset/native/native_spectrometer.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_acquisition.hpp"
#include "app/dataset/native/native_format.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace echolux::native {
namespace {

const Facts kSpectrometerFacts{&fact::kCentreWavelength, &fact::kBandwidth, &fact::kBscanSpacing};
const Facts kKnownSpectrometerFacts{&fact::kRefractiveIndex};

} // namespace

void writeSpectrometer(hid_t file, const FrameSpec& frame) {
    const Spectrometer& facts = *frame.spectrometer;
    const Hdf5Handle group = createGroup(file, kSpectrometer);
    writeFacts(group.get(), frame, kSpectrometerFacts);
    writeKnownFacts(group.get(), frame, kKnownSpectrometerFacts);
    hdf5::writeInteger(group.get(), kBscansPerVolume, frame.stack.bscansPerVolume);
    if (frame.stack.repeats > 1)
        hdf5::writeInteger(group.get(), kBscansPerPlace, frame.stack.repeats);
    const auto write = [&](const char* name, const auto& values) {
        if (values.empty()) return;
        const std::vector<double> reals(values.begin(), values.end());
        hdf5::writeTable(group.get(), name, std::vector<hsize_t>{reals.size()}, reals);
    };
    write(kBackground, facts.background);
    write(kResampling, facts.resampling);
    write(kDispersion, facts.dispersionRad);
}

void readSpectrometer(const Hdf5Handle& at, FrameSpec& frame, const std::filesystem::path& path) {
    readFacts(at.get(), frame, path, kSpectrometerFacts);
    readKnownFacts(at.get(), frame, path, kKnownSpectrometerFacts);
    Spectrometer& facts = ownSpectrometer(frame);
    const auto whole = [&](const char* name) {
        return demand(path, hdf5::readInteger(at.get(), name), name);
    };
    const bool repeats = H5Aexists(at.get(), kBscansPerPlace) > 0;
    frame.stack.bscansPerVolume = whole(kBscansPerVolume);
    frame.stack.repeats = repeats ? whole(kBscansPerPlace) : 1;
    const auto samples = static_cast<hsize_t>(frame.sizeOf(AxisName::Sample));
    const auto vector = [&](const char* name) -> std::vector<double> {
        if (H5Lexists(at.get(), name, H5P_DEFAULT) <= 0) return {};
        return demand(path, hdf5::readTable(at.get(), name, std::vector{samples}), name);
    };
    const std::vector<double> background = vector(kBackground);
    facts.background.assign(background.begin(), background.end());
    facts.resampling = vector(kResampling);
    facts.dispersionRad = vector(kDispersion);
}

} // namespace echolux::native
