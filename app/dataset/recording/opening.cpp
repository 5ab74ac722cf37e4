// SPDX-License-Identifier: GPL-3.0-or-later
// Counters of the opening in progress, one per thread.
#include "app/dataset/recording/opening.hpp"

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/opening_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace echolux {

namespace {

constexpr const char* kSaveAgain =
    "no recording needs that; save it again with the program that made it";

/// Processor time of this thread in s. Waiting for a disk or for other programs does not count.
double processorSeconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string megabytes(std::uint64_t bytes) {
    return fmt::format("{:.0f} MB", static_cast<double>(bytes) * 1e-6);
}

} // namespace

struct Opening::Budget {
    std::filesystem::path path;
    OpeningLimits limits;
    double began = processorSeconds();
    std::uint64_t onDisk = 0;
    std::set<std::pair<std::uint64_t, std::uint64_t>> files = {};
    std::uint64_t objects = 0;
    std::uint64_t sinceTime = 0; ///< objects since the last look at the clock
    std::vector<std::optional<std::uint64_t>> levels = {};
    std::uint64_t largest = 0;
    std::string largestName = {};

    Error refusal(const std::string& what) const { return fileError(path, what); }

    std::uint64_t mostBytes() const {
        constexpr std::uint64_t kNoOverflow = std::uint64_t{1} << 50U;
        return std::max(limits.bytes, std::min(onDisk, kNoOverflow) * limits.ratio);
    }

    void checkTime() {
        sinceTime = 0;
        const std::uint64_t beyond = largest - std::min(largest, limits.bytes);
        const double most =
            limits.seconds + static_cast<double>(onDisk + beyond) / limits.bytesPerSecond;
        if (processorSeconds() - began > most)
            throw refusal(fmt::format("reading what it holds took more than {:.0f} s for its {} "
                                      "bytes; {}",
                                      most, onDisk, kSaveAgain));
    }

    void visit(std::uint64_t more) {
        objects += more;
        const std::uint64_t most = std::max(limits.objects, onDisk / limits.bytesPerObject);
        if (objects > most)
            throw refusal(fmt::format("it holds more than {} groups, values or other objects in "
                                      "{} bytes; {}",
                                      most, onDisk, kSaveAgain));
        constexpr std::uint64_t kBetweenLooks = 64; // a look costs as much as an object
        sinceTime += more;
        if (sinceTime >= kBetweenLooks) checkTime();
    }

    void keep(const std::string& what, std::uint64_t bytes) {
        if (bytes > mostBytes())
            throw refusal(fmt::format("{} would take {} of memory, more than {} times its {} bytes "
                                      "on disk; it is damaged or made to fill the memory, so save "
                                      "it again uncompressed",
                                      what, megabytes(bytes), limits.ratio, onDisk));
        if (bytes <= largest) return;
        largest = bytes;
        largestName = what;
    }

    void enter(std::optional<std::uint64_t> object) {
        if (levels.size() >= static_cast<std::size_t>(std::max(limits.depth, 0)))
            throw refusal(fmt::format("its groups, cells or sequences lie more than {} deep within "
                                      "each other; {}",
                                      limits.depth, kSaveAgain));
        if (object && std::ranges::find(levels, object) != levels.end())
            throw refusal(
                fmt::format("one of its groups or cells lies within itself; {}", kSaveAgain));
        levels.push_back(object);
    }

    static Budget*& current() {
        thread_local Budget* budget = nullptr;
        return budget;
    }
};

namespace {

std::vector<std::string>& openingWarnings() {
    thread_local std::vector<std::string> warnings;
    return warnings;
}

} // namespace

void warnOfOpening(std::string sentence) { openingWarnings().push_back(std::move(sentence)); }

std::vector<std::string> takeOpeningWarnings() { return std::exchange(openingWarnings(), {}); }

Opening::Opening(std::filesystem::path path, const OpeningLimits& limits) {
    if (Budget::current() != nullptr) return;
    openingWarnings().clear();
    m_budget = std::make_unique<Budget>(Budget{.path = std::move(path), .limits = limits});
    Budget::current() = m_budget.get();
    struct stat facts {};
    if (::stat(m_budget->path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode))
        addFile(facts.st_dev, facts.st_ino, static_cast<std::uint64_t>(facts.st_size));
}

Opening::~Opening() {
    if (m_budget) Budget::current() = nullptr;
}

void Opening::visit(std::uint64_t objects) {
    if (Budget* budget = Budget::current()) budget->visit(objects);
}

void Opening::keep(const std::string& what, std::uint64_t bytes) {
    if (Budget* budget = Budget::current()) budget->keep(what, bytes);
}

void Opening::checkTime() {
    if (Budget* budget = Budget::current()) budget->checkTime();
}

void Opening::addFile(std::uint64_t device, std::uint64_t inode, std::uint64_t bytes) {
    Budget* budget = Budget::current();
    if (budget != nullptr && budget->files.emplace(device, inode).second) budget->onDisk += bytes;
}

std::optional<std::string> Opening::largestKept() {
    const Budget* budget = Budget::current();
    if (budget == nullptr || budget->largest <= budget->limits.bytes) return std::nullopt;
    return fmt::format("{}: {}", budget->largestName, megabytes(budget->largest));
}

// NOTE: a level is counted only within an opening, so an opening must not begin or end while a
// level exists.
Opening::Level::Level() {
    if (Budget* budget = Budget::current()) budget->enter(std::nullopt);
}

Opening::Level::Level(std::uint64_t object) {
    if (Budget* budget = Budget::current()) budget->enter(object);
}

Opening::Level::~Level() {
    if (Budget* budget = Budget::current()) budget->levels.pop_back();
}

} // namespace echolux
