// SPDX-License-Identifier: GPL-3.0-or-later
// One runner for all frames and all values of a parameter.
#include "app/commands/measured_frames.hpp"

#include "app/dataset/recording/ensemble.hpp"
#include "app/measure/measurement_file.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "app/session/uncompressed.hpp"
#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace echolux {

void MeasureOptions::addTo(CLI::App& command) {
    command.add_option("--measure", file,
                       "Measurements (.toml); default: RECORDING.echolux-measurements.toml");
    command.add_option("--view", view, "The view that is measured; default: the first one");
}

std::vector<measure::Measurement> MeasureOptions::measurements(const std::string& recording) const {
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

bool isJson(const std::string& path) { return std::filesystem::path(path).extension() == ".json"; }

std::string csvText(const std::string& text) {
    std::string field = "\"";
    for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
    return field + '"';
}

void refuseOutput(const OutputOptions& output, const std::string& recording) {
    if (!isJson(output.path) && std::filesystem::path(output.path).extension() != ".csv")
        throw Error(
            fmt::format("'{}' names no kind of output; end it in .csv or .json.", output.path));
    refuseRecording(output.path, recording);
    output.refuseExisting(output.path);
}

MeasuredFrames::MeasuredFrames(Recording& recording, Backend backend, const SnapshotPtr& snapshot,
                               const std::string& view)
    : m_recording(recording), m_backend(backend), m_runner(backend, 1) {
    if (view.empty()) return;
    std::vector<std::string> names;
    for (const ViewState& each : snapshot->views) names.push_back(nameOf(each));
    const auto at = std::ranges::find(names, view);
    if (at == names.end())
        throw Error(fmt::format("The pipeline '{}' has no view '{}'; choose one of {}.",
                                snapshot->name, view, fmt::join(names, ", ")));
    m_view = static_cast<std::size_t>(at - names.begin());
}

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
    const std::int64_t first = windows.firstOf(index);
    read(first, *snapshot);
    const auto before = stageBeforeLevels(*snapshot, m_view);
    if (m_runner.snapshot() != snapshot)
        m_runner.apply(snapshot, before ? std::vector{*before} : std::vector<std::string>{});
    m_runner.reset();
    const int slot = m_runner.enqueue({.raw = m_raw.as<std::byte>(), .frame = first});
    const ConstTensorView view = m_runner.viewOutput(slot, m_view);
    std::vector<float> values(static_cast<std::size_t>(view.spec->count()));
    std::vector<float> amplitudes(before ? values.size() : 0);
    download(m_runner.exec(slot), values.data(), view.data, view.spec->bytes());
    if (before)
        download(m_runner.exec(slot), amplitudes.data(), m_runner.keptOutput(slot, *before).data,
                 view.spec->bytes());
    m_runner.wait(slot);
    m_runner.drain();
    restoreLevels(values, amplitudes);
    return measure::MeasuredImage::of(*view.spec, values);
}

std::string nameOf(const measure::Measured& measured, const measure::Figure& figure) {
    return measured.name + "." + figure.id;
}

std::string titleOf(const measure::Measured& measured, const measure::Figure& figure) {
    const std::string name = nameOf(measured, figure);
    return figure.unit.empty() ? name : fmt::format("{} ({})", name, figure.unit);
}

} // namespace echolux
