// SPDX-License-Identifier: GPL-3.0-or-later
// Random graphs of differences with links of the frame before, run frame by frame in every kind of
// turn, against the same arithmetic value by value.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace echolux::test {

using Values = std::vector<float>;

/// What a graph of `compare` stages behind `to_float` must give: each stage a - b times its gain,
/// bypassed a; what is taken of the frame before is zeros in the first one.
class DifferencesByHand {
public:
    explicit DifferencesByHand(std::size_t count) : m_count(count) {}

    void reset() { m_series[0] = {}; }
    void forgetAll() { m_series = {}; }
    /// Per stage.
    const std::vector<Values>& frame(const Snapshot& snapshot, const Values& recorded, Turn turn) {
        Series& series = m_series[turn == Turn::Aside ? 1 : 0];
        if (turn != Turn::Again || series.now.empty())
            series.before = std::exchange(series.now, {});
        series.now.assign(snapshot.stages.size(), {});
        for (std::size_t i = 0; i < snapshot.stages.size(); ++i) {
            const StageState& stage = snapshot.stages[i];
            const auto taken = [&](std::size_t port) {
                const Source source = stage.sources[port];
                if (source.isRecording()) return recorded;
                if (!source.ofFrameBefore) return series.now[source.stage];
                return series.before.empty() ? Values(m_count, 0.0F) : series.before[source.stage];
            };
            Values made = taken(0);
            if (stage.type->inputs.size() > 1 && !stage.bypass) {
                const Values b = taken(1);
                const auto gain = static_cast<float>(std::get<double>(stage.params.get("gain")));
                for (std::size_t k = 0; k < m_count; ++k) made[k] = gain * (made[k] - b[k]);
            }
            series.now[i] = std::move(made);
        }
        return series.now;
    }

private:
    struct Series {
        std::vector<Values> before;
        std::vector<Values> now;
    };
    std::size_t m_count;
    std::array<Series, 2> m_series;
};

/// `to_float` and a few differences, whose second inputs often take the frame before of any stage.
inline PipelineConfig randomDifferences(std::mt19937& random) {
    const auto below = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    };
    PipelineConfig config = chainOf({"to_float"});
    const std::size_t count = 2 + below(4);
    const auto id = [](std::size_t i) { return i == 0 ? "to_float" : "d" + std::to_string(i); };
    for (std::size_t i = 1; i <= count; ++i) {
        config.stages.push_back({id(i), "compare", below(6) == 0, {}, {}, below(4) == 0});
        config.links.push_back({{"out", id(below(i))}, {"in", id(i)}});
        const bool before = below(3) > 0;
        const std::string from = id(before ? below(count + 1) : below(i));
        config.links.push_back({{"out", from}, {"in2", id(i)}, {}, before});
    }
    const std::size_t views = 1 + below(3);
    for (std::size_t view = 0; view < views; ++view)
        config.views.push_back({"v" + std::to_string(view), "", {"out", id(1 + below(count))}});
    return config;
}

/// Runs `frames` frames of such a graph in `slots` slots, now and then again, aside, after a reset
/// or an edit, and compares every view of each bit by bit.
inline void compareRandomDifferences(unsigned seed, Backend backend, int slots, int frames) {
    std::mt19937 random(seed);
    const auto oneIn = [&](unsigned count) { return random() % count == 0; };
    const FrameSpec spec = codesSpec(1, 3, 7);
    const auto count = static_cast<std::size_t>(spec.count());
    SnapshotPtr snapshot = instantiate(randomDifferences(random), spec);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + toToml(toConfig(*snapshot)));
    const std::size_t views = snapshot->views.size();
    Runner runner(backend, slots);
    runner.apply(snapshot);
    DifferencesByHand byHand(count);
    constexpr std::size_t kTargets = 4; // taken in turns
    const std::size_t bytes = count * sizeof(float);
    const auto enqueued = static_cast<std::size_t>(frames);
    const Buffer raw(stagingMemory(backend), enqueued * spec.bytes());
    const Buffer images(computeMemory(backend), kTargets * views * bytes);
    const Buffer got(stagingMemory(backend), enqueued * views * bytes);
    std::vector<Values> expected;
    std::deque<int> inFlight;
    for (std::size_t f = 0; f < enqueued; ++f) {
        if (oneIn(9)) {
            const StageState& stage =
                snapshot->stages[1 + random() % (snapshot->stages.size() - 1)];
            const double gain = oneIn(2) ? 1.0 : 2.0;
            snapshot = withValue(*snapshot, stage.id, "gain", gain);
            const std::uint64_t builds = runner.builds();
            runner.apply(snapshot);
            EXPECT_EQ(runner.builds(), builds) << "a live edit builds nothing";
        } else if (oneIn(15)) {
            const std::string stage = snapshot->stages.back().id;
            snapshot = withBypass(*snapshot, stage, !snapshot->stages.back().bypass);
            runner.apply(snapshot);
            byHand.forgetAll();
        } else if (oneIn(8)) {
            runner.reset();
            byHand.reset();
        }
        auto* codes = raw.as<std::int16_t>() + f * count;
        Values recorded;
        for (std::size_t i = 0; i < count; ++i) {
            codes[i] = static_cast<std::int16_t>(static_cast<int>(random() % 19) - 9);
            recorded.push_back(codes[i]);
        }
        const Turn turn = oneIn(4) ? Turn::Again : oneIn(4) ? Turn::Aside : Turn::Next;
        const std::vector<Values>& all = byHand.frame(*snapshot, recorded, turn);
        ViewTargets targets;
        for (std::size_t view = 0; view < views; ++view) {
            targets[view] = {images.as<std::byte>() + (f % kTargets * views + view) * bytes};
            expected.push_back(all[snapshot->views[view].source.stage]);
        }
        if (static_cast<int>(inFlight.size()) == runner.slotCount()) {
            runner.wait(inFlight.front());
            inFlight.pop_front();
        }
        const int slot = runner.enqueue({.raw = reinterpret_cast<const std::byte*>(codes),
                                         .targets = targets,
                                         .turn = turn,
                                         .frame = static_cast<std::int64_t>(f)});
        inFlight.push_back(slot);
        for (std::size_t view = 0; view < views; ++view)
            download(runner.exec(slot), got.as<std::byte>() + (f * views + view) * bytes,
                     targets[view].pixels, bytes);
        if (f % kTargets == kTargets - 1) runner.drain();
    }
    runner.drain();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        for (std::size_t k = 0; k < count; ++k) {
            const float value = got.as<float>()[i * count + k];
            if (std::isnan(value) && std::isnan(expected[i][k])) continue;
            ASSERT_EQ(value, expected[i][k]) << "frame " << i / views << ", view " << i % views;
        }
    }
}

} // namespace echolux::test
