// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for ranges by `echolux export --split`, and names parts by key and range.
#include "app/commands/batch_parts.hpp"

#include "app/commands/run_program.hpp"
#include "app/export/export.hpp"
#include "app/export/part_file.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <system_error>
#include <utility>

namespace echolux {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNative = ".echolux.h5"; ///< raw frames, which nobody computes
constexpr std::size_t kKeyDigits = 12;

using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Words framesOption(const std::string& range) {
    return range.empty() ? Words{} : Words{"--frames", range};
}

/// "1:40" as "1-40"; a colon is no character for names everywhere.
std::string nameOf(const std::string& range) {
    std::string name = range;
    std::ranges::replace(name, ':', '-');
    return name;
}

} // namespace

bool takesParts(const std::string& ending, bool framesAreNamed) {
    if (ending == kNative) return false;
    const std::vector<ExportEnding> endings = exportEndings();
    const auto found = std::ranges::find(endings, ending, &ExportEnding::ending);
    if (found == endings.end() || found->oneFrame) return false;
    return found->allFrames || framesAreNamed;
}

std::string shareFrames(BatchJob& job, const BatchShares& shares, const fs::path& program,
                        const Words& more) {
    if (shares.steps.empty()) return {};
    const Words compute = joined({"export"}, shares.base);
    Words ask = joined(compute, framesOption(shares.range));
    ask = joined(ask, {"--split", std::to_string(shares.frames)});
    ProgramEnd end;
    try {
        end = runProgram(program, joined(ask, more), ProgramOutput::Kept);
    } catch (const Error& refused) {
        return refused.what();
    }
    if (!end.succeeded) return reasonOf(end);
    Words ranges;
    std::istringstream lines(end.out);
    for (std::string line; std::getline(lines, line);) ranges.push_back(line);
    if (ranges.size() < 2) return {};
    const fs::path folder =
        job.result.parent_path() / (job.recording.filename().string() + ".parts");
    Words names;
    for (const std::string& range : ranges) {
        const fs::path output =
            folder / fmt::format("{}.{}.part", nameOf(range), job.key.substr(0, kKeyDigits));
        names.push_back(output.string());
        job.parts.push_back(
            {joined(compute, {"--frames", range, "-o", output.string(), "--force"}), output});
    }
    for (std::size_t i = 0; i < shares.steps.size(); ++i) {
        Words step = joined({"join"}, names);
        step = joined(step, framesOption(shares.range));
        job.steps[shares.steps[i]] = joined(step, {"-o", shares.targets[i].string(), "--force"});
    }
    return {};
}

void removeParts(const BatchJob& job) {
    if (job.parts.empty()) return;
    const fs::path folder = job.parts.front().output.parent_path();
    std::error_code ignored;
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) all.push_back(entry.path());
    for (const fs::path& path : all)
        if (isPartName(path) || path.extension() == ".partial") fs::remove(path, ignored);
    fs::remove(folder, ignored); // stays where there is something else
}

} // namespace echolux
