// SPDX-License-Identifier: GPL-3.0-or-later
// One stream imaged by several runners, each on a GPU and a thread of its own: every runner takes
// its share of the frames, or of the B-scans of each volume. The results lie in order on the host.
#pragma once

#include "app/pipeline/runner.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echolux {

enum class SplitBy {
    Frames,    ///< whole frames
    Elevations ///< the B-scans of each frame, which is a volume
};

/// Consecutive items.
struct Share {
    std::int64_t first = 0;
    std::int64_t count = 0;

    bool operator==(const Share&) const = default;
};
/// Divides `items` as evenly as possible; the first shares are the larger ones.
std::vector<Share> sharesOf(std::int64_t items, std::size_t parts);

/// Used by one thread at a time.
class SplitRunners {
public:
    /// A runner per entry of `gpus`, CUDA's numbers of cards; an entry may repeat. On the CPU the
    /// numbers are without effect. Throws Error, a sentence, where an image depends on other
    /// frames, and where the B-scans of a volume cannot be divided.
    SplitRunners(SnapshotPtr snapshot, Backend backend, std::vector<int> gpus, SplitBy by);
    ~SplitRunners();
    SplitRunners(const SplitRunners&) = delete;
    SplitRunners& operator=(const SplitRunners&) = delete;

    /// Images of `raws` (each one raw frame on the host), one after the other in `images`. Frames
    /// are divided anew in each call. Throws Error where a runner fails.
    void image(std::span<const std::byte* const> raws, std::span<std::byte> images);

    std::size_t imageBytes() const { return m_whole->output().bytes(); }

private:
    struct Part;
    void select(const Part& part) const;
    void work(Part& part, std::span<const std::byte* const> raws, std::byte* images) const;

    SnapshotPtr m_whole;
    Backend m_backend;
    SplitBy m_by;
    std::vector<std::unique_ptr<Part>> m_parts;
};

} // namespace echolux
