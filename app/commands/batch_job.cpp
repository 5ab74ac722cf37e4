// SPDX-License-Identifier: GPL-3.0-or-later
// Keys, results, and steps as programs of their own: one that crashes ends only its recording.
#include "app/commands/batch_job.hpp"

#include "app/commands/run_program.hpp"
#include "gpu/core/error.hpp"

#include <QCryptographicHash>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <system_error>

namespace echolux {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kProgramMark = "echolux: ";

/// The last line of stderr, where a command says why it failed.
std::string reasonOf(const ProgramEnd& end) {
    std::string text = end.err;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::string line = text.substr(text.rfind('\n') + 1);
    if (line.starts_with(kProgramMark)) return line.substr(kProgramMark.size());
    return "The command " + end.ending + (line.empty() ? "." : ": " + line);
}

} // namespace

void setKey(BatchJob& job, const std::vector<std::filesystem::path>& named) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&](const std::string& text) {
        hash.addData(QByteArray::fromStdString(text));
        hash.addData(QByteArray(1, '\0'));
    };
    for (const auto& step : job.steps)
        for (const std::string& word : step) add(word);
    std::error_code none;
    add(std::to_string(std::filesystem::file_size(job.recording, none)));
    const auto changed = std::filesystem::last_write_time(job.recording, none);
    add(std::to_string(changed.time_since_epoch().count()));
    for (const std::filesystem::path& file : named) {
        std::ifstream stream(file, std::ios::binary);
        add(std::string(std::istreambuf_iterator<char>(stream), {}));
    }
    job.key = hash.result().toHex().toStdString();
}

bool isDone(const BatchJob& job) {
    std::ifstream stream(job.result);
    const ordered_json result = ordered_json::parse(stream, nullptr, false);
    if (!result.is_object() || result.value("status", "") != "done" ||
        result.value("key", "") != job.key)
        return false;
    return std::ranges::all_of(job.outputs,
                               [](const auto& output) { return std::filesystem::exists(output); });
}

ordered_json runJob(const BatchJob& job, const std::filesystem::path& program,
                    const std::vector<std::string>& more) {
    ordered_json result{{"recording", job.recording.string()}, {"status", "done"}};
    const auto begin = std::chrono::steady_clock::now();
    for (const std::vector<std::string>& step : job.steps) {
        std::vector<std::string> words = step;
        words.insert(words.end(), more.begin(), more.end());
        std::string error;
        try {
            const ProgramEnd end = runProgram(program, words);
            if (!end.succeeded) error = reasonOf(end);
        } catch (const Error& refused) {
            error = refused.what();
        }
        if (error.empty()) continue;
        result["status"] = "failed";
        result["error"] = error;
        break;
    }
    result["seconds"] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (const auto& output : job.outputs) result["outputs"].push_back(output.filename().string());
    for (const auto& step : job.steps) {
        std::vector<std::string> words{"echolux"};
        words.insert(words.end(), step.begin(), step.end());
        result["commands"].push_back(shellText(words));
    }
    result["key"] = job.key;
    return result;
}

} // namespace echolux
