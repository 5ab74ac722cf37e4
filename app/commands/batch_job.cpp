// SPDX-License-Identifier: GPL-3.0-or-later
// Keys, results, and steps as programs of their own: one that crashes ends only its recording.
#include "app/commands/batch_job.hpp"

#include "app/commands/run_program.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <QCryptographicHash>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>

namespace echolux {

using nlohmann::ordered_json;

namespace {

/// What a former run wrote; empty where there is none, or where it is damaged.
ordered_json resultOf(const BatchJob& job) {
    std::ifstream stream(job.result);
    ordered_json result = ordered_json::parse(stream, nullptr, false);
    return result.is_object() ? result : ordered_json::object();
}

/// Empty where there is no such text.
std::string textIn(const ordered_json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<FileState> notedStates(const ordered_json& result, const char* key) {
    const auto found = result.find(key);
    return found != result.end() ? statesIn(*found) : std::vector<FileState>();
}

const std::string& programHash() {
    static const std::string hash = stateOf(thisProgram(), {}).sha256;
    return hash;
}

std::string resultText(const ordered_json& result, int indent) {
    return result.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

std::vector<FileState> outputStates(const BatchJob& job, const std::vector<FileState>& known) {
    std::vector<FileState> states;
    for (const auto& output : job.outputs) states.push_back(stateOf(output, known));
    return states;
}

} // namespace

void setKey(BatchJob& job) {
    if (!job.key.empty()) return;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&](const std::string& text) {
        hash.addData(QByteArray::fromStdString(text));
        hash.addData(QByteArray(1, '\0'));
    };
    const std::vector<FileState> known = notedStates(resultOf(job), "inputs");
    add(programHash());
    for (const auto& file : job.inputFiles) {
        const FileState& input = job.inputs.emplace_back(stateOf(file, known));
        if (!input.exists) continue; // names of missing files may differ between users
        add(file.string());
        add(fmt::format("{} {}", input.size, input.sha256));
    }
    add(job.backend);
    for (const auto& step : job.steps)
        for (const std::string& word : step) add(word);
    job.key = hash.result().toHex().toStdString();
}

bool isDone(const BatchJob& job) {
    ordered_json result = resultOf(job);
    if (textIn(result, "status") != "done" || textIn(result, "key") != job.key) return false;
    const std::vector<FileState> made = notedStates(result, "files");
    const std::vector<FileState> now = outputStates(job, made);
    if (!std::ranges::equal(made, now, sameContent) ||
        !std::ranges::all_of(now, &FileState::exists))
        return false;
    const std::string before = resultText(result, -1);
    result["inputs"] = toJson(job.inputs);
    result["files"] = toJson(now);
    try {
        if (resultText(result, -1) != before) writeResult(job, result);
    } catch (const Error&) { // the next look then reads the files again
    }
    return true;
}

void writeResult(const BatchJob& job, const ordered_json& result) {
    writeWhole(job.result.string(), resultText(result, 2) + '\n');
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
    result["program"] = programHash();
    result["key"] = job.key;
    result["inputs"] = toJson(job.inputs);
    if (end.error.empty()) result["files"] = toJson(outputStates(job, {}));
    return result;
}

} // namespace echolux
