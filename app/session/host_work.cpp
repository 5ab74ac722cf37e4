// SPDX-License-Identifier: GPL-3.0-or-later
// Work as a group of oneTBB's, whose nested loops end with it.
#include "app/session/host_work.hpp"

#include <oneapi/tbb/task_group.h>

#include <mutex>

namespace echolux {

namespace tbb = oneapi::tbb;

struct HostWork::State {
    std::mutex mutex; ///< guards what follows
    tbb::task_group_context* running = nullptr;
    bool givenUp = false; ///< the work that runs, or ran last
};

/// As long as this lives, the work can be given up.
class HostWork::UnderWay {
public:
    UnderWay(State& state, tbb::task_group_context& context) : m_state(state) {
        const std::lock_guard lock(m_state.mutex);
        m_state.running = &context;
        m_state.givenUp = false;
    }
    ~UnderWay() {
        const std::lock_guard lock(m_state.mutex);
        m_state.running = nullptr;
    }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

private:
    State& m_state;
};

HostWork::HostWork() : m_state(std::make_unique<State>()) {}
HostWork::~HostWork() = default;

/// The context is known to giveUp() while `work` itself runs: it always begins, and nobody touches
/// the context when the group ends.
bool HostWork::run(const std::function<void()>& work) {
    tbb::task_group_context context(tbb::task_group_context::isolated);
    tbb::task_group group(context);
    try {
        group.run_and_wait([&] {
            const UnderWay known(*m_state, context);
            work();
        });
    } catch (...) {
        if (wasGivenUp()) return false; // what was incomplete may well be refused
        throw;
    }
    return !wasGivenUp();
}

bool HostWork::wasGivenUp() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->givenUp;
}

void HostWork::giveUp() {
    const std::lock_guard lock(m_state->mutex);
    if (m_state->running == nullptr) return;
    m_state->givenUp = true;
    m_state->running->cancel_group_execution();
}

} // namespace echolux
