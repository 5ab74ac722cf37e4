// SPDX-License-Identifier: GPL-3.0-or-later
// Runs work as a group of oneTBB. Nested loops end with the group.
#include "app/session/host_work.hpp"

#include <oneapi/tbb/task_group.h>

#include <mutex>

namespace echolux {

namespace tbb = oneapi::tbb;

struct HostWork::State {
    std::mutex mutex; ///< guards the members below
    tbb::task_group_context* running = nullptr;
    bool givenUp = false; ///< of the current or the last work
};

/// While an object lives, the work can be given up.
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

/// giveUp() knows the context only while `work` itself runs. So `work` always begins, and no one
/// uses the context after the group has ended.
bool HostWork::run(const std::function<void()>& work) {
    tbb::task_group_context context(tbb::task_group_context::isolated);
    tbb::task_group group(context);
    try {
        group.run_and_wait([&] {
            const UnderWay known(*m_state, context);
            work();
        });
    } catch (...) {
        if (wasGivenUp()) return false; // incomplete data may cause an error
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
