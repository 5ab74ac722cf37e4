// SPDX-License-Identifier: GPL-3.0-or-later
// Names of ports, places in files, and pipelines by their file or name.
#include "app/pipeline/pipeline_config.hpp"

#include "app/pipeline/filter_text.hpp"
#include "app/pipeline/filter_words.hpp"
#include "app/pipeline/pipeline_reader.hpp"
#include "app/pipeline/wiring.hpp"
#include "app/toml/toml_text.hpp"
#include "embedded/pipelineFiles.hpp"
#include "gpu/core/embedded_file.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <new>
#include <utility>

namespace echolux {

std::string toText(const PortName& name) { return name.port + "@" + name.stage; }

std::optional<PortName> toPortName(std::string_view text, std::string_view usual) {
    const auto at = text.find('@');
    const std::string stage(at == std::string_view::npos ? text : text.substr(at + 1));
    if (stage.empty() || stage.find('@') != std::string::npos || at == 0) return std::nullopt;
    if (at != std::string_view::npos) return PortName{std::string(text.substr(0, at)), stage};
    if (!usual.empty()) return PortName{std::string(usual), stage};
    return PortName{stage == kRecording ? kRecordingPort : kOutputPort, stage};
}

std::string whereIs(const PipelineConfig& config, const Place& place) {
    std::string where = config.origin;
    if (place.line > 0) {
        where += fmt::format("{}line {}, column {}", where.empty() ? "" : ", ", place.line,
                             place.column);
    }
    return where.empty() ? where : where + ": ";
}

namespace {

void wireInItsWords(const PipelineConfig& config) {
    try {
        wire(config);
    } catch (const Error& error) {
        if (!config.inFilterLanguage) throw;
        throw Error(inFilterWords(error.what()));
    }
}

} // namespace

PipelineConfig parsePipeline(std::string_view text, const std::string& origin,
                             const std::filesystem::path& folder) {
    try {
        PipelineConfig config =
            isFilterText(text)
                ? parseFilterText(text, origin, folder)
                : readPipeline(tomlOf(text, origin, "pipeline file"), origin, folder);
        wireInItsWords(config);
        return config;
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw Error(fmt::format("{} is not a pipeline file: {}.", origin, error.what()));
    }
}

PipelineConfig loadPipeline(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(
            fmt::format("The pipeline file {} cannot be read; check the path.", path.string()));
    std::string text(kLongestPipeline + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.empty() || text.size() > kLongestPipeline || text.find('\0') != std::string::npos) {
        throw Error(
            fmt::format("{} is no pipeline file: it is {}; give a TOML file that names stages.",
                        path.string(), text.empty() ? "empty or a folder" : "not a text"));
    }
    return parsePipeline(text, path.filename().string(), path.parent_path());
}

std::vector<std::string> shippedPipelines() {
    std::vector<std::string> names;
    for (const EmbeddedFile& file : pipelineFiles()) {
        names.emplace_back(file.name.substr(0, file.name.rfind('.')));
    }
    return names;
}

PipelineConfig shippedPipeline(std::string_view name) {
    for (const EmbeddedFile& file : pipelineFiles()) {
        if (file.name.substr(0, file.name.rfind('.')) == name)
            return parsePipeline(file.text, std::string(file.name));
    }
    throw Error(fmt::format("There is no shipped pipeline '{}'; choose one of {} or give a file.",
                            name, fmt::join(shippedPipelines(), ", ")));
}

} // namespace echolux
