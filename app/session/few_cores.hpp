// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline on some cores of the CPU, for work on the shown frame that nobody waits for.
#pragma once

#include "app/pipeline/runner.hpp"

#include <cstddef>
#include <memory>

namespace echolux {

/// Runs on a quarter of the CPU's cores, on whatever backend the shown pipeline runs. Used by one
/// thread at a time.
class FewCoresRunner {
public:
    FewCoresRunner();
    ~FewCoresRunner();
    FewCoresRunner(const FewCoresRunner&) = delete;
    FewCoresRunner& operator=(const FewCoresRunner&) = delete;

    SnapshotPtr snapshot() const { return m_runner.snapshot(); } ///< null before apply()
    void apply(SnapshotPtr snapshot);
    void release() { m_runner.release(); } ///< gives the memory back
    /// Runs one raw frame and returns the image of the first view, valid until the next call.
    ConstTensorView imageOf(const std::byte* raw);

private:
    struct Arena;
    Runner m_runner;
    std::unique_ptr<Arena> m_arena;
};

} // namespace echolux
