// SPDX-License-Identifier: GPL-3.0-or-later
// Writes Python for the entries of a session.
#include "app/replay/python_script.hpp"

#include "app/pipeline/past_images.hpp"
#include "gpu/stage/param_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <variant>

namespace echolux {
namespace {

constexpr std::string_view kPrelude = R"(#!/usr/bin/env python3
"""Written by `echolux replay --python`: the same images, to the bit, through the package echolux."""
import hashlib
import tempfile

import numpy

import echolux

images = same = 0
parts = {}  # of the document, such as its measurements, as texts


def calibration_file(text):
    """Keeps a calibration that a session holds in a file."""
    file = tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False)
    with file:
        file.write(text)
    return file.name


def check(view, first, count, past, bscan, digest):
    """Images `count` frames from `first` on, behind `past` images that windows still hold, as after a jump there."""
    global images, same
    pipeline.restart()
    for start in range(max(first - past * count, 0), first + count, count):
        frames = recording[start] if count == 1 else recording[start:start + count]
        image = numpy.asarray(pipeline.run(frames, view))
    if image.ndim > 2:
        image = image[min(bscan, len(image) - 1)]
    images += 1
    same += hashlib.sha256(numpy.ascontiguousarray(image).tobytes()).hexdigest() == digest
    return image


)";

std::string pythonText(std::string_view text) {
    std::string all = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') all += '\\';
        if (c == '\n')
            all += "\\n";
        else
            all += c;
    }
    return all + '"';
}

/// Several lines between three quotes.
std::string pythonLines(std::string_view text) {
    std::string all = "\"\"\"\\\n";
    for (const char c : text) {
        if (c == '"' || c == '\\') all += '\\';
        all += c;
    }
    return all + "\"\"\"";
}

std::string literal(const ParamValue& value) {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
    const std::string text = ParamTable::format(value);
    const bool isNumber =
        std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
    return isNumber ? text : pythonText(text);
}

} // namespace

std::string PythonScript::text() const {
    return std::string(kPrelude) + m_lines +
           "\nprint(f\"{same} of {images} images are the same to the bit.\")\n"
           "raise SystemExit(same != images)\n";
}

void PythonScript::openAgain(const std::string& calibration) {
    std::string options;
    if (!m_recording.sidecar.empty())
        options += ", sidecar=" + pythonText(m_recording.sidecar.string());
    if (!calibration.empty()) options += ", calibration=" + calibration;
    if (m_recording.track > 0) options += fmt::format(", track={}", m_recording.track);
    line(fmt::format("recording = echolux.open({}{})", pythonText(m_recording.file.string()),
                     options));
}

void PythonScript::plan(const std::string& pipeline) {
    line(fmt::format("pipeline = echolux.Pipeline({}, recording, backend=\"cpu\")", pipeline));
}

void PythonScript::open(const SessionRecording& recording) {
    m_replayer.open(recording);
    m_recording = recording;
    openAgain(recording.calibration.empty() ? "" : pythonText(recording.calibration.string()));
    plan("None");
}

void PythonScript::usePipeline(const std::string& name) {
    m_replayer.usePipeline(name);
    plan(pythonText(name));
}

void PythonScript::usePipelineText(const std::string& toml) {
    m_replayer.usePipelineText(toml);
    plan(pythonLines(toml));
}

void PythonScript::useCalibration(const std::string& toml) {
    m_replayer.useCalibration(toml);
    openAgain(toml.empty() ? "" : fmt::format("calibration_file({})", pythonLines(toml)));
    plan("pipeline.text");
}

/// The values that the replay has then, so that defaults are numbers, too.
void PythonScript::set(const std::vector<ParameterChange>& changes) {
    m_replayer.set(changes);
    for (const ParameterChange& each : changes)
        line(fmt::format("pipeline[\"{}.{}\"] = {}", each.stage, each.key,
                         literal(m_replayer.snapshot().stage(each.stage).params.get(each.key))));
}

void PythonScript::bypass(const std::string& stage, bool off) {
    m_replayer.bypass(stage, off);
    line(fmt::format("pipeline.bypass({}, {})", pythonText(stage), off ? "True" : "False"));
}

void PythonScript::display(const std::string& key, const std::string& value) {
    m_replayer.display(key, value);
    line(fmt::format("# display: {} {}", key, value));
}

void PythonScript::show(std::int64_t frame, std::int64_t bscan) { m_replayer.show(frame, bscan); }

void PythonScript::check(const std::string& view, const std::string& digest) {
    m_replayer.check(view, digest);
    const EnsembleWindows windows = m_replayer.windows();
    line(fmt::format("image = check({}, {}, {}, {}, {}, {})", pythonText(view),
                     windows.firstOf(m_replayer.frame()), windows.each,
                     imagesBefore(m_replayer.snapshot()), m_replayer.bscan(), pythonText(digest)));
}

void PythonScript::part(const std::string& name, const std::string& text) {
    m_replayer.part(name, text);
    line(fmt::format("parts[{}] = {}", pythonText(name), pythonLines(text)));
}

void PythonScript::command(const std::string& id) {
    m_replayer.command(id);
    line("# in the window: " + id);
}

} // namespace echolux
