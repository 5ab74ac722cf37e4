// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench: hands its words to echolux-bench.
#include "app/commands/bench_program.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run_program.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <filesystem>

namespace echolux {

namespace {

/// echolux-bench beside this program, also where it is not there.
std::filesystem::path benchProgram() { return thisProgram().replace_filename("echolux-bench"); }

bool isExecutable(const std::filesystem::path& program) {
    return ::access(program.c_str(), X_OK) == 0;
}

/// Throws Error where this program lies in no build tree, and where the build fails.
void buildBench() {
    const std::filesystem::path tree = thisProgram().parent_path().parent_path();
    if (!std::filesystem::exists(tree / "CMakeCache.txt"))
        throw Error(fmt::format(
            "The benches are the program echolux-bench, which is not in '{}'; install the package "
            "echolux-bench, or run 'app/run.sh bench' in the source of Echolux.",
            benchProgram().parent_path().string()));
    const std::vector<std::string> build{"cmake", "--build", tree.string(), "--target",
                                         "echolux_bench"};
    std::fprintf(stderr, "The benches are not built yet; this takes some minutes, once: %s\n",
                 shellText(build).c_str());
    if (!runProgram("/usr/bin/env", build).succeeded || !isExecutable(benchProgram()))
        throw Error(
            fmt::format("The benches could not be built; '{}' says why.", shellText(build)));
}

} // namespace

void becomeBench(const std::vector<std::string>& arguments) {
    const std::string program = benchProgram().string();
    if (!isExecutable(program)) buildBench();
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::fflush(stdout);
    ::execv(program.c_str(), argv.data());
    throw Error(fmt::format("'{}' does not start; install or build it again.", program));
}

std::optional<CommandText> benchText() {
    if (!isExecutable(benchProgram())) return std::nullopt;
    const ProgramEnd end = runProgram(benchProgram(), {"tree"}, ProgramOutput::Kept);
    if (!end.succeeded) throw Error(reasonOf(end));
    CommandText text = commandTextOf(end.out);
    text.name = kBenchCommand;
    return text;
}

void addBench(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        kBenchCommand, "Measure how fast a computation runs (the program echolux-bench)");
    command->set_help_flag();
    command->prefix_command();
    command->callback([command] { becomeBench(command->remaining()); });
}

} // namespace echolux
