// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/split_runners.hpp"

#include "gpu/core/error.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace echolux {
namespace {

constexpr int kSlots = 3;

void refuseCoupledFrames(const Snapshot& snapshot) {
    if (snapshot.ensemble() > 1) {
        throw Error(fmt::format("Pipeline '{}' images {} frames together, so several GPUs cannot "
                                "share its frames.",
                                snapshot.name, snapshot.ensemble()));
    }
    for (const StageState& stage : snapshot.stages) {
        if (stage.bypass) continue;
        if (stage.plan.stateBytes > 0 || stage.plan.countsFrames || stage.readsFrameBefore()) {
            throw Error(fmt::format("Stage '{}' takes over something from the frame before, so "
                                    "several GPUs cannot share the frames; bypass it, or use one "
                                    "GPU.",
                                    stage.id));
        }
    }
}

/// The axis of B-scans, which a volume has in front.
Axis& elevationsOf(FrameSpec& spec) { return spec.axes.front(); }

bool isVolume(const FrameSpec& spec) {
    return !spec.axes.empty() && spec.axes.front().name == AxisName::Elevation;
}

void refuseOtherThanVolumes(const Snapshot& snapshot, std::size_t parts) {
    if (!isVolume(snapshot.input)) {
        throw Error(fmt::format("A frame of {} has no B-scans side by side that several GPUs could "
                                "share; share whole frames.",
                                snapshot.input.describe()));
    }
    const std::int64_t elevations = snapshot.input.sizeOf(AxisName::Elevation);
    if (elevations < static_cast<std::int64_t>(parts)) {
        throw Error(fmt::format("A volume of {} B-scans cannot be shared by {} runners; name fewer "
                                "GPUs.",
                                elevations, parts));
    }
    for (const StageState& stage : snapshot.stages) {
        if (!stage.bypass && stage.plan.mixesBscans) {
            throw Error(fmt::format("Stage '{}' images a B-scan with the help of others of its "
                                    "volume, so several GPUs cannot share the B-scans; bypass it, "
                                    "or share whole frames.",
                                    stage.id));
        }
    }
    if (!isVolume(snapshot.output()) ||
        snapshot.output().sizeOf(AxisName::Elevation) != elevations) {
        throw Error(
            fmt::format("The image of pipeline '{}', {}, is not made of a volume's B-scans; "
                        "share whole frames.",
                        snapshot.name, snapshot.output().describe()));
    }
}

SnapshotPtr partOf(const Snapshot& whole, const Share& share) {
    FrameSpec input = whole.input;
    Axis& elevations = elevationsOf(input);
    elevations.origin += static_cast<double>(share.first) * elevations.spacing;
    elevations.size = share.count;
    return withInput(whole, input);
}

} // namespace

std::vector<Share> sharesOf(std::int64_t items, std::size_t parts) {
    std::vector<Share> shares;
    const auto count = static_cast<std::int64_t>(parts);
    std::int64_t first = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t own = items / count + (i < items % count ? 1 : 0);
        shares.push_back({first, own});
        first += own;
    }
    return shares;
}

struct SplitRunners::Part {
    int gpu;
    Runner runner;
    std::size_t rawOffset = 0;   ///< of the part of a volume
    std::size_t imageOffset = 0; ///< likewise
    std::exception_ptr failure = nullptr;

    Part(int number, Backend backend) : gpu(number), runner(backend, kSlots) {}
};

SplitRunners::SplitRunners(SnapshotPtr snapshot, Backend backend, std::vector<int> gpus, SplitBy by)
    : m_whole(std::move(snapshot)), m_backend(backend), m_by(by) {
    refuseCoupledFrames(*m_whole);
    std::vector<Share> shares;
    if (by == SplitBy::Elevations) {
        refuseOtherThanVolumes(*m_whole, gpus.size());
        shares = sharesOf(m_whole->input.sizeOf(AxisName::Elevation), gpus.size());
    }
    std::size_t raw = 0;
    std::size_t image = 0;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        if (backend == Backend::Cuda) device::select(gpus[i]);
        m_parts.push_back(std::make_unique<Part>(gpus[i], backend));
        Part& part = *m_parts.back();
        if (by == SplitBy::Frames) {
            part.runner.apply(m_whole);
            continue;
        }
        part.runner.apply(partOf(*m_whole, shares[i]));
        part.rawOffset = raw;
        part.imageOffset = image;
        raw += part.runner.snapshot()->input.bytes();
        image += part.runner.snapshot()->output().bytes();
    }
    if (!m_parts.empty()) select(*m_parts.front());
}

SplitRunners::~SplitRunners() {
    for (auto& part : m_parts) {
        select(*part);
        part.reset();
    }
}

void SplitRunners::select(const Part& part) const {
    if (m_backend == Backend::Cuda) device::select(part.gpu);
}

void SplitRunners::work(Part& part, std::span<const std::byte* const> raws,
                        std::byte* images) const {
    select(part);
    Runner& runner = part.runner;
    const std::size_t bytes = runner.snapshot()->output().bytes();
    std::vector<Event> copied;
    copied.reserve(static_cast<std::size_t>(runner.slotCount()));
    for (int slot = 0; slot < runner.slotCount(); ++slot) copied.emplace_back(m_backend, false);
    for (std::size_t i = 0; i < raws.size(); ++i) {
        if (i >= copied.size()) copied[i % copied.size()].synchronize();
        const int slot = runner.enqueue({.raw = raws[i] + part.rawOffset});
        const Exec exec = runner.exec(slot);
        download(exec, images + i * imageBytes() + part.imageOffset,
                 runner.viewOutput(slot, 0).data, bytes);
        copied[static_cast<std::size_t>(slot)].record(exec);
    }
    for (const Event& event : copied) event.synchronize();
    runner.drain();
}

void SplitRunners::image(std::span<const std::byte* const> raws, std::span<std::byte> images) {
    const std::vector<Share> shares =
        sharesOf(static_cast<std::int64_t>(raws.size()), m_parts.size());
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const bool frames = m_by == SplitBy::Frames;
            const auto first = frames ? static_cast<std::size_t>(shares[i].first) : 0;
            const auto count = frames ? static_cast<std::size_t>(shares[i].count) : raws.size();
            threads.emplace_back([this, &part = *m_parts[i], own = raws.subspan(first, count),
                                  to = images.data() + first * imageBytes()] {
                part.failure = nullptr;
                try {
                    work(part, own, to);
                } catch (...) {
                    part.failure = std::current_exception();
                }
            });
        }
    }
    for (const auto& part : m_parts)
        if (part->failure) std::rethrow_exception(part->failure);
}

} // namespace echolux
