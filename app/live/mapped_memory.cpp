// SPDX-License-Identifier: GPL-3.0-or-later
// A handler of SIGBUS that knows the mappings. It puts zeros in the place of what is gone, so the
// instruction that failed goes on. Other faults go where they went before.
#include "app/live/mapped_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace echolux {

/// The handler reads it on any thread. Free where `start` is 0.
struct MappedGuard {
    std::atomic<std::uintptr_t> start{0};
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> torn{false};
};

namespace {

constexpr std::size_t kMostMappings = 64;
std::array<MappedGuard, kMostMappings> s_guards;
std::uintptr_t s_pageBytes = 0;
struct sigaction s_before {};

/// True where the address lies in a mapping: zeros follow from its page on, because a file that was
/// shortened lacks all that follows.
bool replaceWhatIsGone(std::uintptr_t address) {
    for (MappedGuard& guard : s_guards) {
        const std::uintptr_t start = guard.start.load();
        const std::uintptr_t end = guard.end.load();
        if (start == 0 || address < start || address >= end) continue;
        const std::uintptr_t page = address / s_pageBytes * s_pageBytes;
        guard.torn = true;
        return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    return false;
}

void onBusError(int signal, siginfo_t* facts, void* context) {
    if (replaceWhatIsGone(reinterpret_cast<std::uintptr_t>(facts->si_addr))) return;
    if ((s_before.sa_flags & SA_SIGINFO) != 0) return s_before.sa_sigaction(signal, facts, context);
    // The instruction fails again, and the signal acts as it did before.
    ::sigaction(SIGBUS, &s_before, nullptr);
}

void watchBusErrors() {
    s_pageBytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = onBusError;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigaction(SIGBUS, &action, &s_before);
}

MappedGuard* guardFor(const void* start, std::size_t bytes) {
    static std::once_flag s_once;
    std::call_once(s_once, watchBusErrors);
    static std::mutex s_mutex;
    const std::scoped_lock lock(s_mutex);
    for (MappedGuard& guard : s_guards) {
        if (guard.start != 0) continue;
        const auto first = reinterpret_cast<std::uintptr_t>(start);
        guard.torn = false;
        guard.end = first + bytes;
        guard.start = first;
        return &guard;
    }
    return nullptr;
}

} // namespace

MappedMemory::MappedMemory(int file, std::size_t bytes) : m_bytes(bytes) {
    void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (start == MAP_FAILED) return;
    m_start = start;
    m_guard = guardFor(start, bytes);
}

MappedMemory::~MappedMemory() {
    if (m_guard != nullptr) m_guard->start = 0;
    if (m_start != nullptr) ::munmap(m_start, m_bytes);
}

bool MappedMemory::isTorn() const { return m_guard != nullptr && m_guard->torn; }

} // namespace echolux
