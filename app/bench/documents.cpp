// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the tables as text and JSON.
#include "app/bench/documents.hpp"

#include "app/bench/runs.hpp"
#include "app/command_line/options.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/core/whole_file.hpp"

#include "gpu/core/error.hpp"
#include "gpu/model/equations.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace echolux {
namespace {

struct DocumentOptions {
    std::string document;
    std::string backend = "auto";
    int gpu = 0;
    std::string json;
    int repeat = 0; ///< 0: 21 on CUDA, 3 on the CPU
    bool reduced = false;
    // s4
    std::string recording;
    std::string signal;
    std::string noise;
};

struct Document {
    const char* id; ///< its name on the command line
    const char* title;
    std::vector<void (*)(const DocumentBench&)> parts;
};

const std::vector<Document>& documents() {
    static const std::vector<Document> kDocuments{
        {"s0",
         "S0: CUDA by examples: delay and sum (Jarosik, Lewandowski, Yiu, IEEE UFFC-JS 2024; "
         "published on a mobile RTX 3700)",
         {benchCourseDelays, benchCourseSums, benchCourseConstants}},
        {"s1",
         "S1: Implementing ultrasound beamforming on the GPU using CUDA (Gronvold 2008; published "
         "on a Tesla C870)",
         {benchBandwidth, benchScanLines, benchScanBlocks, benchFourTimesUp, benchScanForms,
          benchRealTime}},
        {"s2",
         "S2: Parallel techniques for estimation and correction of aberration (Herikstad 2009; "
         "published on a Tesla C1060, and on one core of a Core 2 Quad 2.83 GHz)",
         {benchAberration}},
        {"s3",
         "S3: Advanced ultrasound beam forming using GPGPU technology (van Bavel 2013; published "
         "on "
         "a GTX 660 Ti, and on one core of a Core i5-2300 without SIMD)",
         {benchPlaneWave, benchFrameworkKernels}},
        {"s4",
         "S4: OCT-Processing Boost on GPU (Tschupp 2019; published on a Quadro K420, a Quadro "
         "P1000 "
         "and a GTX 1080 Ti)",
         {benchOctStreams, benchOctGridding, benchOctNoise}}};
    return kDocuments;
}

const Document& documentOf(const std::string& id) {
    std::vector<std::string> known;
    for (const Document& document : documents()) {
        if (document.id == id) return document;
        known.emplace_back(document.id);
    }
    throw Error(fmt::format("bench documents: there is no document '{}'; choose from {}.", id,
                            fmt::join(known, ", ")));
}

ScanDepths depthRange(const std::string& text, const char* option) {
    ScanDepths range;
    int read = 0;
    const int found =
        std::sscanf(text.c_str(), "%" SCNd64 ":%" SCNd64 "%n", &range.first, &range.end, &read);
    if (found == 2 && static_cast<std::size_t>(read) == text.size()) return range;
    throw Error(fmt::format("bench documents: {} is '{}'; give two depths, for example 60:110.",
                            option, text));
}

std::optional<NoiseRegions> regionsOf(const DocumentOptions& options) {
    if (options.recording.empty()) return std::nullopt;
    return NoiseRegions{options.recording, depthRange(options.signal, "--signal"),
                        depthRange(options.noise, "--noise")};
}

std::string figureText(const std::optional<double>& figure) {
    return figure ? fmt::format("{:.4g}", *figure) : "-";
}

void printEntryHead(const std::string& table) {
    std::printf("%s\n", fmt::format("{:<62} {:>10} {:>10} {:<12} {:>8} {:>8} {:>9}", table,
                                    "published", "measured", "", "ratio", "GB/s", "deviation")
                            .c_str());
}

/// ", predicted 93 (error 2 %)" and the like; empty without a prediction.
std::string predictedText(const char* where, const std::optional<double>& predicted,
                          const std::optional<double>& actual) {
    if (!predicted) return {};
    std::string text = fmt::format("  predicted {} {:.4g}", where, *predicted);
    if (actual)
        text += fmt::format(" (error {:.0f} %)",
                            100.0 * model::errorOfMeasurement(*actual, *predicted));
    return text;
}

std::string remarksOf(const DocumentEntry& of) {
    std::string text = predictedText("there", of.predictedThere, of.published) +
                       predictedText("here", of.predictedHere, of.measured);
    if (of.spread)
        text += fmt::format("  mean {:.4g}, min {:.4g}, max {:.4g}, sd {:.2g}", of.spread->mean,
                            of.spread->least, of.spread->most, of.spread->deviation);
    return of.note.empty() ? text : text + "  " + of.note;
}

void printEntry(const DocumentEntry& of, bool reduced) {
    const std::string deviation = of.deviation ? fmt::format("{:.1e}", *of.deviation) : "-";
    std::printf("%s\n", fmt::format("  {:<60} {:>10} {:>10} {:<12} {:>8} {:>8} {:>9}{}", of.entry,
                                    figureText(of.published), figureText(of.measured), of.unit,
                                    figureText(of.ratio(reduced)), figureText(of.gigabytesPerS),
                                    deviation, remarksOf(of))
                            .c_str());
    std::fflush(stdout);
}

nlohmann::ordered_json figureJson(const std::optional<double>& figure) {
    return figure ? nlohmann::ordered_json(*figure) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json spreadJson(const std::optional<Spread>& spread) {
    if (!spread) return nullptr;
    return {{"mean", spread->mean},
            {"min", spread->least},
            {"max", spread->most},
            {"sd", spread->deviation}};
}

nlohmann::ordered_json toJson(const std::string& document, const DocumentEntry& of, bool reduced) {
    return {{"document", document},
            {"table", of.table},
            {"entry", of.entry},
            {"published", figureJson(of.published)},
            {"measured", figureJson(of.measured)},
            {"predicted_there", figureJson(of.predictedThere)},
            {"predicted_here", figureJson(of.predictedHere)},
            {"spread", spreadJson(of.spread)},
            {"unit", of.unit},
            {"ratio", figureJson(of.ratio(reduced))},
            {"deviation", figureJson(of.deviation)},
            {"gigabytes_per_second", figureJson(of.gigabytesPerS)},
            {"note", of.note}};
}

void runDocument(const DocumentOptions& options) {
    const Document& document = documentOf(options.document);
    const std::optional<NoiseRegions> regions = regionsOf(options);
    if (regions && options.document != "s4")
        throw Error(fmt::format("bench documents: --recording, --signal and --noise belong to s4, "
                                "and {} measures no recording; leave them out.",
                                options.document));
    if (regions) checkNoiseRegions(*regions);
    const BackendChoice choice = chooseBackend(options.backend, options.gpu);
    std::optional<PartialFile> json;
    if (!options.json.empty()) json.emplace(options.json);
    const bool cpu = choice.backend == Backend::Cpu;
    const int repeat = options.repeat > 0 ? options.repeat : cpu ? 3 : 21;
    nlohmann::ordered_json report{
        {"bench", "documents"},       {"backend", nameOf(choice.backend)},
        {"device", choice.device},    {"repeat", repeat},
        {"reduced", options.reduced}, {"results", nlohmann::ordered_json::array()}};

    std::printf("%s.\nMeasured on %s (%s); medians of %d runs after warm-up; ratio: how many times "
                "better than published.\n",
                document.title, choice.device.c_str(), std::string(nameOf(choice.backend)).c_str(),
                repeat);
    if (options.reduced)
        std::printf("Reduced problems: their times and rates compare with nothing published.\n");
    const Stream stream(choice.backend, "bench");
    std::string table;
    std::vector<std::string> wrong;
    const DocumentBench bench{{choice.backend, stream.get()},
                              repeat,
                              options.reduced,
                              [&](const DocumentEntry& entry) {
                                  if (entry.table != table) printEntryHead(table = entry.table);
                                  printEntry(entry, options.reduced);
                                  if (entry.isWrong()) wrong.push_back(entry.entry);
                                  report["results"].push_back(
                                      toJson(document.id, entry, options.reduced));
                              },
                              regions};
    for (const auto part : document.parts) part(bench);
    if (!wrong.empty()) {
        throw Error(fmt::format("bench documents: {} did not compute what the reference says: {}; "
                                "these figures do not count, report them with the device.",
                                choice.device, fmt::join(wrong, "; ")));
    }
    if (!json) return;
    json->finish(report.dump(2) + '\n');
}

} // namespace

Spread spreadOf(const std::vector<double>& times) {
    const auto count = static_cast<double>(times.size());
    const auto [least, most] = std::ranges::minmax(times);
    Spread spread{std::accumulate(times.begin(), times.end(), 0.0) / count, least, most};
    if (times.size() < 2) return spread;
    for (const double time : times)
        spread.deviation += (time - spread.mean) * (time - spread.mean) / (count - 1.0);
    spread.deviation = std::sqrt(spread.deviation);
    return spread;
}

void DocumentEntry::setRuns(const std::vector<double>& times) {
    measured = medianOf(times);
    spread = spreadOf(times);
}

std::optional<double> DocumentEntry::ratio(bool reduced) const {
    if (reduced && unit != "deviation") return std::nullopt;
    if (!published || !measured || *measured <= 0.0 || *published <= 0.0) return std::nullopt;
    const bool rate =
        unit == "GB/s" || unit == "x real time" || unit == "times faster" || unit.ends_with("/s");
    return rate ? *measured / *published : *published / *measured;
}

void addBenchDocuments(CLI::App& bench) {
    CLI::App* documents = bench.add_subcommand(
        "documents",
        "Measure again what published documents measured, and print both side by "
        "side: s0 (CUDA short course, delay and sum step by step), s1 (Gronvold 2008, "
        "tables 1 to 6), s2 (Herikstad 2009, table 5.2, and known screens), s3 (van Bavel "
        "2013, table 4.1), s4 (Tschupp 2019, sections 2.3 and 3)");
    auto options = std::make_shared<DocumentOptions>();
    documents->add_option("document", options->document, "s0, s1, s2, s3 or s4")->required();
    documents->add_option("--backend", options->backend, "auto, cuda or cpu")
        ->capture_default_str();
    addDeviceTo(*documents, options->gpu);
    documents->add_flag("--reduced", options->reduced, "Smaller problems, for a quick look");
    documents
        ->add_option("--repeat", options->repeat, "Timed runs (default: 21 on CUDA, 3 on the CPU)")
        ->check(CLI::Range(1, 10000));
    auto* recording = documents->add_option(
        "--recording", options->recording,
        "s4: OCT recording whose first B-scan gives the signal-to-noise table");
    auto* signal =
        documents->add_option("--signal", options->signal, "s4: depths of the sample, FIRST:END");
    auto* noise =
        documents->add_option("--noise", options->noise, "s4: depths of noise, FIRST:END");
    recording->needs(signal)->needs(noise);
    signal->needs(recording);
    noise->needs(recording);
    documents->add_option("--json", options->json, "Write the figures to this file");
    documents->callback([options] { runDocument(*options); });
}

} // namespace echolux
