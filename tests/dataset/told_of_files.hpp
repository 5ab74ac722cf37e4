// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader tells of a file, as one text: its refusal, or the facts that it found.
#pragma once

#include "app/dataset/frames/fact_check.hpp"
#include "app/dataset/guarded/open_here.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/sector.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace echolux::test {

/// A number with four digits; what rounding leaves of 0 is 0.
inline std::string shortly(double value) {
    return fmt::format("{:.4g}", std::abs(value) < 1e-12 ? 0.0 : value);
}
inline std::string shortly(const Point& at) {
    const auto part = [](double value) { return shortly(std::abs(value) < 1e-9 ? 0.0 : value); };
    return fmt::format("({} {} {})", part(at.x), part(at.y), part(at.z));
}

inline std::string toldOf(const Transmit& transmit) {
    constexpr std::array kWaves{"plane", "diverging", "focused", "element", "none"};
    return fmt::format("{} turned {} {}, source {}, origin {}, first {}, phase {}, {} weights",
                       kWaves.at(static_cast<std::size_t>(transmit.wave)),
                       shortly(transmit.angleRad), shortly(transmit.elevationRad),
                       shortly(transmit.source), shortly(transmit.origin),
                       shortly(transmit.firstSampleS), shortly(transmit.iqPhaseZeroS),
                       transmit.apodization.size());
}

inline std::string toldOf(const Probe& probe) {
    return fmt::format("probe '{}' of {}, pitch {}, width {}, height {}, focus {}, bandwidth {}, "
                       "{} normals, {} long",
                       probe.name, probe.elements.size(), shortly(probe.pitchM),
                       shortly(probe.elementWidthM), shortly(probe.elementHeightM),
                       shortly(probe.elevationFocusM), shortly(probe.fractionalBandwidth),
                       probe.normals.size(), probe.longAxes.size());
}

inline std::string toldOf(const FrameSpec& frame) {
    std::string text =
        fmt::format("centre {} Hz, mixed {} Hz, {}\n", shortly(frame.centreFrequencyHz),
                    shortly(frame.demodulationFrequencyHz), nameOf(frame.recordedForm));
    for (const Axis& axis : frame.axes)
        text += fmt::format("{} {} from {} by {} {}\n", nameOf(axis.name), axis.size,
                            shortly(axis.origin), shortly(axis.spacing), axis.unit);
    if (frame.valueRange)
        text += fmt::format("range {} to {} {}\n", shortly(frame.valueRange->min),
                            shortly(frame.valueRange->max), frame.valueRange->unit);
    if (frame.stack.bscansPerVolume > 1 || frame.stack.repeats > 1)
        text += fmt::format("volumes of {} by {}, {} repeats\n", frame.stack.bscansPerVolume,
                            shortly(frame.stack.spacingM), frame.stack.repeats);
    if (frame.sector)
        text += fmt::format("sector from ({} {}), radius {}, {} starts\n",
                            shortly(frame.sector->apexXM), shortly(frame.sector->apexZM),
                            shortly(frame.sector->radiusM), frame.sector->starts.size());
    if (frame.pose) text += "posed in " + frame.pose->space + "\n";
    if (const Spectrometer* facts = frame.spectrometer.get())
        text += fmt::format("wavelength {}, bandwidth {}, index {}, {} of background, {} "
                            "resampled\n",
                            shortly(facts->centreWavelengthM), shortly(facts->bandwidthM),
                            shortly(facts->refractiveIndex), facts->background.size(),
                            facts->resampling.size());
    if (!frame.acquisition) return text;
    const Acquisition& acquisition = *frame.acquisition;
    text += fmt::format("{} m/s, hears {} with {} weights\n{}\n",
                        shortly(acquisition.soundSpeedMps), acquisition.receiveElements.size(),
                        acquisition.receiveWeights.size(), toldOf(acquisition.probe));
    for (const Transmit& transmit : acquisition.transmits) text += toldOf(transmit) + "\n";
    return text;
}

/// Facts line by line, of a file that opens with facts that agree and frames that can be read;
/// else the sentence that refuses it, which names a file of its folder.
inline std::string toldOf(const std::filesystem::path& path, const OpenOptions& options = {}) {
    try {
        const auto recording = openHere(path, options);
        RecordingInfo info = recording->info();
        info.path = path;
        checkFacts(info);
        std::vector<std::byte> bytes(info.frame.bytes());
        recording->readFrame(0, bytes);
        recording->readFrame(info.frameCount - 1, bytes);
        std::string text =
            fmt::format("{}\n{} x {} at {} Hz\n{}", info.format, info.frameCount,
                        info.frame.describe(), shortly(info.frameRateHz), toldOf(info.frame));
        for (const auto& [name, note] : info.notes) text += fmt::format("{}: {}\n", name, note);
        for (const std::string& warning : info.warnings) text += "warning: " + warning + "\n";
        return text;
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(path.parent_path().filename().string()));
        return error.what();
    } catch (const std::exception& error) {
        ADD_FAILURE() << "no sentence for users: " << error.what();
        return {};
    }
}

/// A change to a file, and what is told of it then.
template <class Change> struct Told {
    std::string name;
    Change change;
    testing::Matcher<std::string> says;
};
using ToldHdf5 = Told<std::function<void(const Hdf5Editor&)>>;

/// Makes each change to a new copy of a file of HDF5, which `make` writes to its path.
inline void expectToldOfHdf5(const std::function<void(const std::filesystem::path&)>& make,
                             const std::vector<ToldHdf5>& all, const OpenOptions& options = {}) {
    const TemporaryFolder folder;
    for (const ToldHdf5& each : all) {
        SCOPED_TRACE(each.name);
        const auto path = folder / "told.hdf5";
        std::filesystem::remove(path);
        make(path);
        each.change(Hdf5Editor(path));
        EXPECT_THAT(toldOf(path, options), each.says);
    }
}

inline std::function<void(const std::filesystem::path&)> copyOfVector(const std::string& name) {
    return [name](const std::filesystem::path& path) {
        std::filesystem::copy_file(uffVector(name), path);
    };
}

/// Changes that put other numbers in one place, or take it away.
inline std::function<void(const Hdf5Editor&)>
withNumbers(std::string where, std::vector<hsize_t> shape, std::vector<double> values) {
    return [=](const Hdf5Editor& file) { file.numbers(where, shape, values); };
}
inline std::function<void(const Hdf5Editor&)> withNumber(std::string where, double value) {
    return withNumbers(std::move(where), {}, {value});
}
inline std::function<void(const Hdf5Editor&)> withComplex(std::string where,
                                                          std::vector<hsize_t> shape) {
    return [=](const Hdf5Editor& file) { file.complexZeros(where, shape); };
}
inline std::function<void(const Hdf5Editor&)> withHole(std::string where,
                                                       std::vector<hsize_t> shape) {
    return [=](const Hdf5Editor& file) { file.hole(where, shape); };
}
inline std::function<void(const Hdf5Editor&)> withZeros(std::string where,
                                                        std::vector<hsize_t> shape) {
    return [=](const Hdf5Editor& file) { file.zeros(where, shape); };
}
inline std::function<void(const Hdf5Editor&)> without(std::string where) {
    return [=](const Hdf5Editor& file) { file.remove(where); };
}

} // namespace echolux::test
