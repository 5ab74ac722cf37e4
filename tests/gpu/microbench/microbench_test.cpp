// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from measured rates, by closed forms; and a quick measurement of this processor.
#include "gpu/microbench/microbench.hpp"

#include "gpu/microbench/host_loops.hpp"
#include "gpu/model/equations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <numeric>
#include <set>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace echolux::microbench {
namespace {

TEST(Microbench, TheMixOfTable55GivesThreeHiddenInstructions) {
    // GTX 470: 12 operations of FFMA per RSQRT take the time of Eq. 5.12 with X = 6.
    const model::Rates rates{.ffma = 1088.6e9, .special = 68e9};
    const double seconds =
        13.0 / model::overlappedRate({1.0, rates.special}, {12.0, rates.ffma}, 6);
    EXPECT_NEAR(hiddenInstructions(rates, 12.0, 1.0, seconds), 3.0, 1e-9);
    // Nothing is hidden where the times add up; nothing below 0 is reported.
    const double apart = 12.0 / rates.ffma + 1.0 / rates.special;
    EXPECT_NEAR(hiddenInstructions(rates, 12.0, 1.0, apart), 0.0, 1e-9);
    EXPECT_DOUBLE_EQ(hiddenInstructions(rates, 12.0, 1.0, 2.0 * apart), 0.0);
}

TEST(Microbench, NumbersPerClockArePowersOfTwo) {
    model::Device device;
    device.chip.multiprocessors = 2;
    device.chip.clockHz = 1e9;
    device.measured = {.ffma = 120e9, .special = 8.1e9, .offsetHigh = 60e9, .global = 5e9};
    completeTheory(device);
    EXPECT_DOUBLE_EQ(device.chip.flopPerClock, 64.0);
    EXPECT_DOUBLE_EQ(device.theory.ffma, 128e9);
    EXPECT_DOUBLE_EQ(device.chip.specialPerClock, 4.0); // 1 % above is the clock's own error
    EXPECT_DOUBLE_EQ(device.theory.global, 5e9);
    device.chip.flopPerClock = 50.0; // known numbers stay
    device.theory.ffma = 0.0;
    completeTheory(device);
    EXPECT_DOUBLE_EQ(device.theory.ffma, 100e9);
}

TEST(Microbench, MeasuresEveryRateOfTheProcessor) {
    const Report report = measureHost(0.3);
    EXPECT_TRUE(report.device.isCpu);
    EXPECT_FALSE(report.device.name.empty());
    using model::Rates;
    const std::vector<double Rates::*> cardRates{
        &Rates::toDevice,      &Rates::toHost, &Rates::issue, &Rates::cacheLatency,
        &Rates::sharedLatency, &Rates::step,   &Rates::fetch};
    for (const auto& row : model::rateRows()) {
        const bool ofCards = std::ranges::find(cardRates, row.member) != cardRates.end();
        EXPECT_EQ(report.device.measured.*row.member > 0.0, !ofCards) << row.key;
        EXPECT_TRUE(std::isfinite(report.device.measured.*row.member)) << row.key;
    }
    std::set<std::string> groups;
    for (const Figure& figure : report.figures) groups.insert(figure.group);
    EXPECT_TRUE(groups.contains("rates"));
    EXPECT_TRUE(groups.contains("mixes"));
}

/// Keeps all threads of the machine busy while it lives.
class OtherWork {
public:
    OtherWork() {
        for (unsigned i = 0; i < 2 * std::max(1U, std::thread::hardware_concurrency()); ++i) {
            const pid_t process = fork(); // another program's time is not ours
            if (process == 0)
                while (true) {
                }
            m_processes.push_back(process);
        }
    }
    OtherWork(const OtherWork&) = delete;
    OtherWork& operator=(const OtherWork&) = delete;
    ~OtherWork() {
        for (const pid_t process : m_processes) {
            kill(process, SIGKILL);
            waitpid(process, nullptr, 0);
        }
    }

private:
    std::vector<pid_t> m_processes;
};

TEST(Microbench, SaysWhereOtherProgramsTakeTheProcessor) {
    const OtherWork others;
    const Report report = measureHost(0.3);
    EXPECT_TRUE(report.wasBusy()) << report.processorShare;
    EXPECT_GT(report.processorShare, 0.0);
    EXPECT_NE(report.device.sources.back().find("NOTE: other programs"), std::string::npos);
}

TEST(Microbench, AShareOfTheProcessorBelowAllIsBusy) {
    EXPECT_FALSE(Report{}.wasBusy()) << "a card has none";
    Report report;
    report.processorShare = 0.97;
    EXPECT_FALSE(report.wasBusy());
    report.processorShare = 0.5;
    EXPECT_TRUE(report.wasBusy());
}

TEST(HostLoops, CopyAndSumWhatTheyShould) {
    std::vector<float> from(1024);
    std::iota(from.begin(), from.end(), 0.0F);
    std::vector<float> to(from.size());
    loops::copy(from, to);
    EXPECT_FLOAT_EQ(to[100], 150.0F);
    EXPECT_FLOAT_EQ(loops::load(std::span(from).first(128), 2), 2.0F * 127.0F * 64.0F);
    const std::vector<std::uint32_t> path{2, 0, 1};
    EXPECT_EQ(loops::chase(path, 2), 1U);
}

} // namespace
} // namespace echolux::microbench
