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

using nlohmann::ordered_json;

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

StepEnd runStep(const std::vector<std::string>& step, const std::filesystem::path& program,
                const std::vector<std::string>& more) {
    std::vector<std::string> words = step;
    words.insert(words.end(), more.begin(), more.end());
    StepEnd result;
    const auto begin = std::chrono::steady_clock::now();
    try {
        const ProgramEnd end = runProgram(program, words);
        if (!end.succeeded) result.error = reasonOf(end);
    } catch (const Error& refused) {
        result.error = refused.what();
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

std::string commandLine(const std::vector<std::string>& step) {
    std::vector<std::string> words{"echolux"};
    words.insert(words.end(), step.begin(), step.end());
    return shellText(words);
}

ordered_json runJob(const BatchJob& job, const StepEnd& parts, const std::filesystem::path& program,
                    const std::vector<std::string>& more) {
    ordered_json result{{"recording", job.recording.string()}, {"status", "done"}};
    StepEnd end = parts;
    for (auto step = job.steps.begin(); step != job.steps.end() && end.error.empty(); ++step) {
        const StepEnd next = runStep(*step, program, more);
        end = {next.error, end.seconds + next.seconds};
    }
    if (!end.error.empty()) {
        result["status"] = "failed";
        result["error"] = end.error;
    }
    result["seconds"] = end.seconds;
    for (const auto& output : job.outputs) result["outputs"].push_back(output.filename().string());
    for (const BatchPart& part : job.parts) result["commands"].push_back(commandLine(part.step));
    for (const auto& step : job.steps) result["commands"].push_back(commandLine(step));
    result["key"] = job.key;
    return result;
}

} // namespace echolux
