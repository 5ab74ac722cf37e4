// SPDX-License-Identifier: GPL-3.0-or-later
// Lifetimes of streams and events, the choice of the backend, and for which processors it was
// compiled.
#include "gpu/exec/exec.hpp"

#include "gpu/core/error.hpp"
#include "gpu/exec/planned_device.hpp"
#include "gpu/exec/processor_form.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/info.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace echolux {
namespace {

/// Of PlannedDevice; 0: kernels are chosen for the devices that are here.
thread_local std::size_t plannedSharedBytes = 0;

} // namespace

device::PlannedDevice::PlannedDevice(std::size_t sharedBytesPerBlock)
    : m_former(std::exchange(plannedSharedBytes, sharedBytesPerBlock)) {}
device::PlannedDevice::~PlannedDevice() { plannedSharedBytes = m_former; }

std::size_t device::sharedBytesEverywhere() {
    if (plannedSharedBytes > 0) return plannedSharedBytes;
    static const std::size_t kLeast = [] {
        std::size_t least = std::numeric_limits<std::size_t>::max();
        for (const Info& info : probe()) least = std::min(least, info.sharedBytesPerBlock);
        return least;
    }();
    return kLeast;
}

std::string_view nameOf(Backend backend) { return backend == Backend::Cuda ? "cuda" : "cpu"; }

Stream::Stream(Backend backend, const char* name) {
    if (backend == Backend::Cuda) m_stream = device::createStream(name);
}
Stream::~Stream() {
    if (m_stream != nullptr) device::destroyStream(m_stream);
}
void Stream::synchronize() const {
    if (m_stream != nullptr) device::synchronize(m_stream);
}

Event::Event(Backend backend, bool timed) {
    if (backend == Backend::Cuda) m_event = device::createEvent(timed);
}
Event::~Event() {
    if (m_event != nullptr) device::destroyEvent(m_event);
}
void Event::record(const Exec& exec) const {
    if (m_event != nullptr) device::record(m_event, exec.stream);
}
void Event::blockStream(const Exec& exec) const {
    if (m_event != nullptr) device::wait(exec.stream, m_event);
}
void Event::recordInGraph(const Exec& exec) const {
    if (m_event != nullptr) device::recordInGraph(m_event, exec.stream);
}
void Event::synchronize() const {
    if (m_event != nullptr) device::synchronizeEvent(m_event);
}
bool Event::finished() const { return m_event == nullptr || device::finished(m_event); }

CapturedWork::~CapturedWork() {
    if (m_graph != nullptr) device::destroyGraph(m_graph);
}
void CapturedWork::launch(const Exec& exec) const { device::launch(m_graph, exec.stream); }

BackendChoice chooseBackend(std::string_view wanted, int number) {
    if (wanted != "auto" && wanted != "cuda" && wanted != "cpu") {
        throw Error(fmt::format("There is no backend '{}'; choose auto, cuda or cpu.", wanted));
    }
    BackendChoice choice;
    if (wanted != "cpu") {
        std::string reason;
        const auto devices = device::probe(&reason);
        if (!devices.empty()) {
            if (number < 0 || number >= static_cast<int>(devices.size()))
                throw Error(fmt::format("There is no GPU number {}; choose 0 to {}.", number,
                                        devices.size() - 1));
            const device::Info& chosen = devices[static_cast<std::size_t>(number)];
            device::select(chosen.ordinal);
            return {Backend::Cuda, chosen.name, "", chosen.totalBytes, number};
        }
        if (wanted == "cuda") {
            throw Error(fmt::format(
                "The CUDA backend cannot start: {}; {}, or use --backend cpu.", reason,
                device::compiledWithCuda() ? "install an NVIDIA driver for this machine's card"
                                           : "build it where nvcc is on the path"));
        }
        choice.reason = reason;
    }
    choice.device = fmt::format("CPU, {} threads", oneapi::tbb::info::default_concurrency());
    return choice;
}

std::string_view processorForm() {
#if defined(__AVX512F__)
    return "AVX-512";
#elif defined(__AVX2__)
    return "AVX2";
#elif defined(__SSE2__)
    return "SSE2";
#else
    return "";
#endif
}

} // namespace echolux
