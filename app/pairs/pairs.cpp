// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pairs/pairs.hpp"

#include "app/export/export.hpp"
#include "app/pairs/expectations.hpp"
#include "app/pairs/findings.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

namespace echolux::pairs {
namespace {

std::vector<std::string> noNames() { return {""}; }

std::vector<std::string> measurementNames() {
    std::vector<std::string> names;
    for (const measure::Kind kind : measure::kAllKinds) names.emplace_back(measure::nameOf(kind));
    return names;
}

std::vector<std::string> endingNames() {
    std::vector<std::string> names;
    for (const ExportEnding& each : exportEndings())
        if (each.available) names.push_back(each.ending);
    return names;
}

struct CheckRow {
    std::string_view kind;
    std::vector<std::string> (*names)();
    void (*run)(const Task& task, const std::string& name, Findings& found);
};

constexpr std::array kChecks{
    CheckRow{"points", noNames, checkPoints},
    CheckRow{"speckle", noNames, checkSpeckle},
    CheckRow{"flow", noNames, checkFlow},
    CheckRow{"pipeline", shippedPipelines, checkPipeline},
    CheckRow{"measurement", measurementNames, checkMeasurement},
    CheckRow{"export", endingNames, checkImageExport},
    CheckRow{"export of signals", endingNames, checkChannelExport},
};

std::vector<Acquired> allRows() {
    std::vector<Acquired> rows;
    for (const ArrayRow& array : arrayRows())
        for (const TransmitRow& transmit : transmitRows())
            for (const Signal signal : {Signal::Rf, Signal::Iq})
                rows.push_back({&array, &transmit, signal});
    return rows;
}

std::vector<Pair> pairsOf(const Acquired& row) {
    std::vector<Pair> pairs;
    for (const CheckRow& check : kChecks)
        for (const std::string& name : check.names())
            pairs.push_back({row, std::string(check.kind), name});
    return pairs;
}

bool isSentence(const std::string& text) {
    return !text.empty() && (text.ends_with('.') || text.ends_with('?')) &&
           text.find('\n') == std::string::npos;
}

/// Runs the check; a refusal is the sentence.
PairResult tried(const Pair& pair, SceneRecordings& recordings, Backend backend) {
    const auto* check = std::ranges::find(kChecks, pair.kind, &CheckRow::kind);
    PairResult result{pair};
    Findings found;
    try {
        check->run({pair.acquired, recordings, backend}, pair.name, found);
        if (!found.wrong.empty()) {
            result.outcome = Outcome::Wrong;
            result.sentence = fmt::format("{}.", fmt::join(found.wrong, "; "));
        }
    } catch (const Error& refusal) {
        result.outcome = Outcome::Refused;
        result.sentence = refusal.what();
    } catch (const std::exception& error) {
        result.outcome = Outcome::Wrong;
        result.sentence = fmt::format("fails: {}", error.what());
    }
    result.figures = std::move(found.figures);
    return result;
}

void judge(PairResult& result) {
    const auto phrase = expectedRefusal(result.pair);
    const auto wrong = [&](std::string why) {
        result.outcome = Outcome::Wrong;
        result.sentence = std::move(why);
    };
    if (result.outcome == Outcome::Refused) {
        if (!phrase)
            wrong(fmt::format("is refused: {}", result.sentence));
        else if (result.sentence.find(*phrase) == std::string::npos)
            wrong(fmt::format("'{}' is expected, but the refusal says: {}", *phrase,
                              result.sentence));
        else if (!isSentence(result.sentence))
            wrong(fmt::format("is refused by what is no sentence: {}", result.sentence));
    } else if (phrase && result.outcome == Outcome::Right) {
        wrong(fmt::format("runs, but a refusal with '{}' is expected.", *phrase));
    }
}

} // namespace

std::unique_ptr<Recording> Task::open(Scene scene) const {
    auto recording = openRecording(file(scene));
    findInitialLevels(*recording);
    return recording;
}

std::string Pair::describe() const {
    return fmt::format("{}, {}, {}: {}{}{}", acquired.array->name, acquired.transmit->name,
                       nameOf(acquired.signal), kind, name.empty() ? "" : " ", name);
}

std::vector<std::string> checkKinds() {
    std::vector<std::string> kinds;
    for (const CheckRow& check : kChecks) kinds.emplace_back(check.kind);
    return kinds;
}

std::vector<Pair> allPairs() {
    std::vector<Pair> pairs;
    for (const Acquired& row : allRows()) {
        const std::vector<Pair> more = pairsOf(row);
        pairs.insert(pairs.end(), more.begin(), more.end());
    }
    return pairs;
}

std::vector<Pair> sampleOfPairs(std::uint64_t seed, std::size_t rows, double share) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t count) { return random() % count; };
    std::vector<Acquired> left = allRows();
    std::vector<Acquired> taken;
    std::set<std::string_view> seen;
    while (taken.size() < rows && !left.empty()) {
        // A row with an array or a transmit that is not there yet goes before others.
        for (std::size_t i = left.size(); i > 1; --i) std::swap(left[i - 1], left[below(i)]);
        const auto news = [&](const Acquired& row) {
            return (seen.contains(row.array->name) ? 0 : 1) +
                   (seen.contains(row.transmit->name) ? 0 : 1);
        };
        const auto best = std::ranges::max_element(left, {}, news);
        seen.insert({best->array->name, best->transmit->name});
        taken.push_back(*best);
        left.erase(best);
    }
    std::vector<Pair> pairs;
    for (const Acquired& row : taken) {
        for (Pair& pair : pairsOf(row)) {
            const bool drawn = static_cast<double>(below(1000)) < 1000.0 * share;
            if (pair.name.empty() || drawn) pairs.push_back(std::move(pair));
        }
    }
    return pairs;
}

PairResult runPair(const Pair& pair, SceneRecordings& recordings, Backend backend) {
    PairResult result = tried(pair, recordings, backend);
    judge(result);
    return result;
}

} // namespace echolux::pairs
