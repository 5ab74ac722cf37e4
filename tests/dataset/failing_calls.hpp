// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of libraries and of the system that fail on purpose. Two tests define these functions for
// the whole program; they call the real ones but where a test makes them fail.
#pragma once

#include <cerrno>
#include <cstdint>
#include <functional>
#include <set>

#include <dlfcn.h>

namespace echolux::test {

/// While it lives, the first call of this thread fails whose place in the program is not in `done`,
/// with `reason` as its error number; the place is added to `done`. Calls of a library by another
/// library count, too.
class FailingCall {
public:
    /// Waiting: a call of the system that a signal may interrupt. Talking: one of the kind between
    /// processes, which is only interrupted.
    enum class Kind : std::uint8_t { Library, System, Waiting, Talking };
    /// Only calls from `least` on can fail.
    FailingCall(std::set<const void*>& done, int reason, Kind least = Kind::Library);
    FailingCall(const FailingCall&) = delete;
    FailingCall& operator=(const FailingCall&) = delete;
    ~FailingCall();

    /// True where a call has failed.
    bool failed() const { return m_failed; }
    /// Writes the place of the call that fails to `to`, which processes may share.
    void tellPlace(const void** to) { m_told = to; }
    /// Asked by each function that can fail.
    static bool here(const void* place, Kind kind);

protected:
    std::set<const void*>& m_done;
    const int m_reason;
    const Kind m_least;
    const void** m_told = nullptr;
    bool m_always = false; ///< each place fails once
    bool m_failed = false;
};

/// While it lives, a signal interrupts calls that wait (EINTR), once at each place of the program.
class InterruptedCalls : private FailingCall {
public:
    InterruptedCalls() : FailingCall(m_places, EINTR, Kind::Waiting) { m_always = true; }

private:
    std::set<const void*> m_places;
};

/// Runs `run` again and again, each time with the call at another place failing, until no call
/// fails. How many runs had a failing call.
int failEachCall(const std::function<void()>& run, int reason = EIO,
                 FailingCall::Kind least = FailingCall::Kind::Library);

} // namespace echolux::test

/// Sanitizers call some of these functions before they are ready for code of theirs.
#define ECHOLUX_PLAIN __attribute__((no_sanitize("address", "undefined", "thread")))

// NOTE: names of HDF5 are macros for those of its versions, and headers differ in what is const, so
// each function is defined by its name for the linker.
#define ECHOLUX_NAME(name) ECHOLUX_TEXT(name)
#define ECHOLUX_TEXT(name) #name
/// Defines `name`, a call of this kind, which returns `failure` where it fails.
#define ECHOLUX_FAILS_AS(kind, result, name, parameters, arguments, failure)                       \
    extern "C" result echolux_failing_##name parameters __asm__(ECHOLUX_NAME(name));               \
    ECHOLUX_PLAIN result echolux_failing_##name parameters {                                       \
        using echolux::test::FailingCall;                                                          \
        static const auto real =                                                                   \
            reinterpret_cast<result(*) parameters>(::dlsym(RTLD_NEXT, ECHOLUX_NAME(name)));        \
        if (FailingCall::here(__builtin_return_address(0), FailingCall::Kind::kind))               \
            return failure;                                                                        \
        return real arguments;                                                                     \
    }
