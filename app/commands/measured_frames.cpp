// SPDX-License-Identifier: GPL-3.0-or-later
// Options, output and raw frames of `echolux measure` and `echolux sweep`.
#include "app/commands/measured_frames.hpp"

#include "app/commands/number_span.hpp"
#include "app/dataset/recording/ensemble.hpp"
#include "app/measure/measurement_file.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <optional>

namespace echolux {

void MeasureOptions::addTo(CLI::App& command) {
    command.add_option("--measure", file,
                       "Measurements (.toml); default: RECORDING.echolux-measurements.toml");
    command
        .add_option("--phantom", phantom,
                    fmt::format("Measure the targets of a phantom: {}, or a file (.toml)",
                                fmt::join(measure::shippedPhantoms(), ", ")))
        ->excludes("--measure");
    command
        .add_option("--at", at,
                    "Place of the phantom's first target in mm: LATERAL,DEPTH; default: as the "
                    "phantom says")
        ->needs("--phantom");
    command.add_option("--view", view,
                       "The view of measurements that name none; default: the first one");
}

std::vector<measure::Measurement> MeasureOptions::measurements(const std::string& recording) const {
    if (!phantom.empty()) {
        const auto place = numbersIn(at.empty() ? "0,0" : at, ',');
        if (!place || place->size() != 2)
            throw Error(fmt::format("--at {} is no place; write lateral and depth in mm, for "
                                    "example --at 0.5,14.",
                                    at));
        const measure::Place first{place->at(0), place->at(1)};
        return targetsAt(measure::phantomNamed(phantom),
                         at.empty() ? std::nullopt : std::optional(first));
    }
    const std::filesystem::path beside = measure::measurementsBeside(recording);
    if (file.empty() && !std::filesystem::exists(beside))
        throw Error(
            fmt::format("There is no file of measurements '{}' beside the recording; name one "
                        "with --measure. 'echolux help measure' shows how it is written.",
                        beside.string()));
    const std::filesystem::path path = file.empty() ? beside : std::filesystem::path(file);
    std::vector<measure::Measurement> all = measure::readMeasurements(path);
    if (all.empty())
        throw Error(fmt::format("'{}' holds no measurement; write [[measurement]] and what it "
                                "measures.",
                                path.string()));
    return all;
}

OpenedRecording::OpenedRecording(const ImagingOptions& imaging)
    : recording(openRecording(imaging.file, imaging.openOptions())) {
    printWarnings(recording->info().warnings);
    findInitialLevels(*recording);
    const FrameSpec& raw = recording->info().frame;
    config = imaging.config(raw);
    snapshot = imagingSnapshot(raw, config);
    printWarnings(snapshot->warnings());
}

void FigureOutput::addTo(CLI::App& command, const std::string& what) {
    command.add_option("-o,--output", path, what + "; - prints CSV");
    command.add_flag("--json", json, "Print JSON");
    command.add_flag("--force", force, "Replace the file where it exists");
}

bool FigureOutput::isJson() const {
    return json || std::filesystem::path(path).extension() == ".json";
}

void FigureOutput::check(const std::string& recording) const {
    if (isPrinted()) return;
    if (json) throw Error("--json prints; leave it out, or leave -o out.");
    if (!isJson() && std::filesystem::path(path).extension() != ".csv")
        throw Error(fmt::format("'{}' names no kind of output; end it in .csv or .json.", path));
    refuseRecording(path, recording);
    refuseExisting(path);
}

void FigureOutput::write(const std::string& text) const {
    if (isPrinted())
        std::fputs(text.c_str(), stdout);
    else
        writeWhole(path, text);
}

MeasuredFrames::MeasuredFrames(Recording& recording, const BackendChoice& place,
                               const SnapshotPtr& snapshot, const std::string& view, bool phasors)
    : m_recording(recording), m_backend(place.backend), m_imager(place, *snapshot, view, phasors) {}

void MeasuredFrames::read(std::int64_t first, const Snapshot& snapshot) {
    if (first == m_first && m_raw.bytes() == snapshot.input.bytes()) return;
    if (m_raw.bytes() != snapshot.input.bytes())
        m_raw = Buffer(stagingMemory(m_backend), snapshot.input.bytes());
    m_first = -1;
    readFrames(m_recording, first, {m_raw.as<std::byte>(), m_raw.bytes()});
    m_first = first;
}

measure::MeasuredImage MeasuredFrames::image(const SnapshotPtr& snapshot, std::int64_t index) {
    const RecordingInfo& info = m_recording.info();
    const EnsembleWindows windows = windowsOf(info, snapshot->ensemble(), snapshot->name);
    if (index < 0 || index >= windows.whole())
        throw Error(fmt::format("{} has frames 1 to {}, but frame {} was asked for.",
                                info.path.filename().string(), windows.whole(), index + 1));
    const std::int64_t wanted = windows.firstOf(index);
    const auto imaged = [&](std::int64_t first, bool continues) {
        read(first, *snapshot);
        return m_imager.image(snapshot, {m_raw.as<std::byte>(), m_raw.bytes()}, first, continues);
    };
    if (!m_imager.isOverTime(*snapshot)) return imaged(wanted, false);
    const std::int64_t next = m_imaged + windows.each;
    const bool continues = m_imagedSnapshot == snapshot && m_imaged >= 0 && next <= wanted;
    for (std::int64_t first = continues ? next : 0; first < wanted; first += windows.each)
        imaged(first, first > 0);
    m_imaged = wanted;
    m_imagedSnapshot = snapshot;
    return imaged(wanted, wanted > 0);
}

} // namespace echolux
