// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the steps of a team of gpu/exec/team.hpp, for the performance model.
#pragma once

#include "gpu/stage/stage_work.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace echolux::aberration {

/// What an item of a step does.
struct TeamItem {
    double bytes = 0.0;
    model::Part counts = {};
};

/// Builds the kernel of a team step by step. Each step waits for the one before, so it is a part.
class TeamWork {
public:
    /// asTeam(), or asWideTeam() for so many items.
    TeamWork(Backend backend, std::string name, double items = 0.0)
        : m_backend(backend), m_kernel{std::move(name), teamLaunch(backend), {}} {
        constexpr double kBlock = 1024.0;      // items that one block handles as well
        constexpr double kWideThreads = 512.0; // of a block of a wide team
        constexpr double kHost = 2048.0;       // items that are worth all threads of the CPU
        constexpr double kHostPart = 256.0;
        constexpr double kMostBlocks = 128.0; // of a wide team
        constexpr double kMostSums = 5.0;     // at once, of 16 warps
        if (backend == Backend::Cpu && items > kHost)
            m_kernel.launch.blocks = std::ceil(items / kHostPart);
        if (backend == Backend::Cuda && items > kBlock)
            m_kernel.launch = {std::min(std::ceil(items / kWideThreads), kMostBlocks), kWideThreads,
                               64.0, 4.0 * 16.0 * kMostSums};
    }

    /// Team::each(), or eachByLanes() with so many lanes per item.
    void each(double items, const TeamItem& item, double lanes = 1.0) {
        add(items, item, lanes, 1.0, 0.0);
    }
    /// Team::sums() of so many sums.
    void sums(double items, const TeamItem& item, double count = 1.0) {
        add(items, item, 1.0, 2.0, count);
    }

    /// `memory`: all different bytes that the steps touch. What a step touches again comes from the
    /// cache.
    model::Kernel kernel(double memory) const {
        model::Kernel made = m_kernel;
        for (model::Part& part : made.parts) {
            part.distinctBytes = std::min(part.globalBytes, std::max(memory, 1.0)); // 0 means all
            memory -= part.distinctBytes;
        }
        return made;
    }

private:
    void add(double items, const TeamItem& item, double lanes, double barriers, double sums) {
        const bool cuda = m_backend == Backend::Cuda;
        const double threads = m_kernel.launch.blocks * m_kernel.launch.threads;
        model::Part part = item.counts.times(items);
        part.name = "step";
        part.globalBytes = item.bytes * items;
        part.barriers = barriers;
        part.offsets += cuda ? 6.0 * std::max(items * lanes, threads) : 2.0 * items;
        if (cuda && lanes > 1.0) {
            part.fadd += std::log2(lanes) * lanes * items;
            part.offsets += 2.0 * std::log2(lanes) * lanes * items;
        }
        if (cuda) { // two trees of five levels, and the sums of the warps
            part.fadd += 10.0 * sums * threads;
            part.offsets += 16.0 * sums * threads;
            part.sharedBytes = sums * 4.0 * (threads / 32.0 + threads);
            // Threads without an item wait for those that have one.
            part.independent *= std::clamp(items * lanes / threads, 1.0 / threads, 1.0);
        } else {
            part.fadd += sums * items;
            part.offsets += 2.0 * sums * items;
        }
        m_kernel.parts.push_back(std::move(part));
    }

    Backend m_backend;
    model::Kernel m_kernel;
};

} // namespace echolux::aberration
