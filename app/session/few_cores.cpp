// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/few_cores.hpp"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace echolux {

/// NOTE: it is not in the header, because oneTBB's own header uses a word that is a macro of Qt's.
struct FewCoresRunner::Arena {
    oneapi::tbb::task_arena cores{
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 4)};
};

FewCoresRunner::FewCoresRunner() : m_runner(Backend::Cpu, 1), m_arena(std::make_unique<Arena>()) {}

FewCoresRunner::~FewCoresRunner() = default;

void FewCoresRunner::apply(SnapshotPtr snapshot) {
    m_arena->cores.execute([&] { m_runner.apply(std::move(snapshot)); });
}

ConstTensorView FewCoresRunner::imageOf(const std::byte* raw) {
    ConstTensorView made;
    m_arena->cores.execute([&] { made = m_runner.viewOutput(m_runner.enqueue({.raw = raw}), 0); });
    return made;
}

} // namespace echolux
