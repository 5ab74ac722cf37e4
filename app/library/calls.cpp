// SPDX-License-Identifier: GPL-3.0-or-later
// Handles, errors and texts; the functions about the library itself.
#include "app/library/calls.hpp"

#include "app/pipeline/plugins.hpp"
#include "gpu/core/error.hpp"
#include "gpu/exec/device_api.hpp"

#include <array>
#include <mutex>
#include <new>
#include <set>
#include <utility>

namespace echolux::library {
namespace {

struct Handles {
    std::mutex mutex;
    std::set<std::pair<Kind, const void*>> all;
};

Handles& handles() {
    static Handles kHandles;
    return kHandles;
}

thread_local std::string t_lastError; // NOLINT: of the calling thread

} // namespace

void addHandle(Kind kind, const void* handle) {
    const std::scoped_lock lock(handles().mutex);
    handles().all.emplace(kind, handle);
}

bool removeHandle(Kind kind, const void* handle) {
    const std::scoped_lock lock(handles().mutex);
    return handles().all.erase({kind, handle}) > 0;
}

bool isHandle(Kind kind, const void* handle) {
    const std::scoped_lock lock(handles().mutex);
    return handles().all.contains({kind, handle});
}

void setLastError(std::string sentence) { t_lastError = std::move(sentence); }

const std::string& lastError() { return t_lastError; }

echolux_status statusOfException() {
    try {
        throw;
    } catch (const Misuse& misuse) {
        setLastError(misuse.sentence);
        return ECHOLUX_MISUSE;
    } catch (const OutOfMemory& error) {
        setLastError(error.what());
        return ECHOLUX_MEMORY;
    } catch (const std::bad_alloc&) {
        setLastError("There is not enough memory; make frames or queues smaller.");
        return ECHOLUX_MEMORY;
    } catch (const std::exception& error) {
        setLastError(error.what());
        return ECHOLUX_ERROR;
    } catch (...) {
        setLastError("Something failed that gave no reason; report it with the pipeline.");
        return ECHOLUX_ERROR;
    }
}

const char* kept(std::string text) {
    constexpr std::size_t kTexts = 16;
    thread_local std::array<std::string, kTexts> t_texts;
    thread_local std::size_t t_next = 0;
    std::string& place = t_texts[t_next++ % kTexts];
    place = std::move(text);
    return place.c_str();
}

} // namespace echolux::library

using namespace echolux;          // NOLINT: the functions below belong to no namespace
using namespace echolux::library; // NOLINT

const char* echolux_version() { return ECHOLUX_VERSION; }

const char* echolux_last_error() { return lastError().c_str(); }

int echolux_gpu_count() {
    return value(-1, [] { return static_cast<int>(device::probe().size()); });
}

int echolux_allow_plugin(const char* path) {
    return status([&] { allowPlugin(findPlugin(given(path, "path"), {})); });
}
