// SPDX-License-Identifier: GPL-3.0-or-later
// Handles, errors and texts; the functions about the library itself.
#include "app/library/calls.hpp"

#include "app/pipeline/plugins.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"
#include "gpu/exec/device_api.hpp"

#include <array>
#include <mutex>
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

/// The texts that a thread got last.
class Texts {
public:
    const char* keep(std::string text) {
        m_last = (m_last + 1) % m_texts.size();
        m_texts[m_last] = std::move(text);
        return last();
    }
    const char* last() const { return m_texts[m_last].c_str(); }

private:
    std::array<std::string, 16> m_texts;
    std::size_t m_last = 0;
};

thread_local Texts t_results; // NOLINT: of the calling thread
thread_local Texts t_errors;  // NOLINT: apart, so that results do not push the last one out

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

void setLastError(std::string sentence) { t_errors.keep(std::move(sentence)); }

echolux_status statusOfException() {
    try {
        throw;
    } catch (const Misuse& misuse) {
        setLastError(misuse.sentence);
        return ECHOLUX_MISUSE;
    } catch (const OutOfMemory& error) {
        setLastError(error.what());
        return ECHOLUX_MEMORY;
    } catch (const std::exception& error) {
        setLastError(failureText(error));
        return isExhaustedMemory(error) ? ECHOLUX_MEMORY : ECHOLUX_ERROR;
    } catch (...) {
        setLastError("Something failed that gave no reason; report it with the pipeline.");
        return ECHOLUX_ERROR;
    }
}

const char* kept(std::string text) { return t_results.keep(std::move(text)); }

} // namespace echolux::library

using namespace echolux;          // NOLINT: the functions below belong to no namespace
using namespace echolux::library; // NOLINT

const char* echolux_version() { return ECHOLUX_VERSION; }

const char* echolux_last_error() { return t_errors.last(); }

int echolux_gpu_count() {
    return value(-1, [] { return static_cast<int>(device::probe().size()); });
}

int echolux_allow_plugin(const char* path) {
    return status([&] { allowPlugin(findPlugin(given(path, "path"), {})); });
}
