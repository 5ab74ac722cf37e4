// SPDX-License-Identifier: GPL-3.0-or-later
// Where work runs: a backend and, on CUDA, a stream. Also owners of streams and events, and the
// choice of the backend.
#pragma once

#include "gpu/exec/device_api.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace echolux {

enum class Backend { Cpu, Cuda };
std::string_view nameOf(Backend backend); ///< "cpu", "cuda"

/// An argument of everything that computes. On the CPU, work is done when the call returns; on CUDA
/// it is enqueued on `stream`.
struct Exec {
    Backend backend = Backend::Cpu;
    device::Stream stream = nullptr;
};

/// Owns a CUDA stream; empty on the CPU.
class Stream {
public:
    Stream() = default;
    Stream(Backend backend, const char* name);
    Stream(Stream&& other) noexcept : m_stream(std::exchange(other.m_stream, nullptr)) {}
    Stream& operator=(Stream&& other) noexcept {
        std::swap(m_stream, other.m_stream);
        return *this;
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream();
    device::Stream get() const { return m_stream; }
    void synchronize() const; ///< no-op on the CPU

private:
    device::Stream m_stream = nullptr;
};

/// Owns a CUDA event; empty on the CPU, where every call is a no-op and finished() is true.
class Event {
public:
    Event() = default;
    Event(Backend backend, bool timed);
    Event(Event&& other) noexcept : m_event(std::exchange(other.m_event, nullptr)) {}
    Event& operator=(Event&& other) noexcept {
        std::swap(m_event, other.m_event);
        return *this;
    }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event();
    device::Event get() const { return m_event; }
    void record(const Exec& exec) const;
    void blockStream(const Exec& exec) const; ///< later work on exec's stream runs after this event
    /// record() for a stream that is being captured, where the event is read outside the captured
    /// work.
    void recordInGraph(const Exec& exec) const;
    void synchronize() const;
    bool finished() const;

private:
    device::Event m_event = nullptr;
};

/// Owns work that was captured on CUDA streams and can be launched as one; empty on the CPU.
class CapturedWork {
public:
    CapturedWork() = default;
    explicit CapturedWork(device::Graph graph) : m_graph(graph) {}
    CapturedWork(CapturedWork&& other) noexcept : m_graph(std::exchange(other.m_graph, nullptr)) {}
    CapturedWork& operator=(CapturedWork&& other) noexcept {
        std::swap(m_graph, other.m_graph);
        return *this;
    }
    CapturedWork(const CapturedWork&) = delete;
    CapturedWork& operator=(const CapturedWork&) = delete;
    ~CapturedWork();
    bool isEmpty() const { return m_graph == nullptr; }
    device::Graph release() { return std::exchange(m_graph, nullptr); }
    void launch(const Exec& exec) const;

private:
    device::Graph m_graph = nullptr;
};

struct BackendChoice {
    Backend backend = Backend::Cpu;
    std::string device;          ///< "NVIDIA H200", or "CPU, 2 threads"
    std::string reason;          ///< why "auto" chose the CPU; else empty
    std::size_t deviceBytes = 0; ///< total memory of the GPU, 0 on the CPU
    int gpu = 0;                 ///< number of the GPU
};

/// `wanted` is "auto", "cuda" or "cpu". `number` selects the GPU, for this thread. Throws Error for
/// "cuda" without a usable GPU, for a GPU number that does not exist, and for other words.
BackendChoice chooseBackend(std::string_view wanted, int number = 0);

} // namespace echolux
