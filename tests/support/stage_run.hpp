// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one stage on host data, on either backend, and brings the output back. Scratch memory is
// filled with NaN patterns and every buffer ends in a canary, so that a stage that reads what it
// did not write, or writes past its end, fails the test.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/stage/registry.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux::test {

/// A frame in host memory.
struct HostFrame {
    FrameSpec spec;
    std::vector<std::byte> bytes;

    HostFrame() = default;
    explicit HostFrame(FrameSpec of) : spec(std::move(of)), bytes(spec.bytes()) {}
    template <class T> HostFrame(FrameSpec of, const std::vector<T>& values)
        : HostFrame(std::move(of)) {
        if (values.size() * sizeof(T) != bytes.size()) {
            throw std::logic_error("HostFrame: values do not fill " + spec.describe());
        }
        std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    template <class T> std::span<const T> as() const {
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    template <class T> std::span<T> as() {
        return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
};

using Settings = std::vector<std::pair<std::string, ParamValue>>;

/// The type's defaults for `input`, with `settings` applied and validated.
inline Params paramsFor(const StageType& type, const FrameSpec& input, const Settings& settings) {
    Params params = type.defaultsFor(input);
    for (const auto& [key, value] : settings) params.set(type.id, key, value);
    return params;
}

/// Compute memory with a canary behind it.
class GuardedBuffer {
public:
    GuardedBuffer(const Exec& exec, std::size_t bytes)
        : m_exec(exec), m_bytes(bytes),
          m_buffer(computeMemory(exec.backend), bytes + kCanaryBytes) {
        fillBytes(exec, m_buffer.data(), 0xFF, bytes);
        fillBytes(exec, canary(), kCanaryByte, kCanaryBytes);
    }
    void* data() const { return m_buffer.data(); }
    std::size_t bytes() const { return m_bytes; }
    void poison() const { fillBytes(m_exec, m_buffer.data(), 0xFF, m_bytes); }
    /// Call it when the stream has run.
    void check(const std::string& what, const Stream& stream) const {
        std::vector<unsigned char> seen(kCanaryBytes);
        download(m_exec, seen.data(), canary(), seen.size());
        stream.synchronize();
        for (const unsigned char byte : seen) {
            if (byte != kCanaryByte) throw std::runtime_error(what + " was written past its end");
        }
    }

private:
    static constexpr std::size_t kCanaryBytes = 256;
    static constexpr unsigned char kCanaryByte = 0xA5;
    std::byte* canary() const { return m_buffer.as<std::byte>() + m_bytes; }

    Exec m_exec;
    std::size_t m_bytes;
    Buffer m_buffer;
};

/// One stage instance, planned and prepared for one input specification. Throws what plan throws.
class StageRunner {
public:
    StageRunner(const StageType& type, const FrameSpec& input, const Params& params,
                Backend backend = Backend::Cpu)
        : m_type(type), m_inputSpec(input), m_stage(type.create()),
          m_plan(checkedPlan(type, *m_stage, input, params)),
          m_stream(backend, "test"), m_exec{backend, m_stream.get()},
          m_input(m_exec, input.bytes()), m_output(m_exec, m_plan.output.bytes()),
          m_workspace(m_exec, m_plan.workspaceBytes), m_states{
                                                          GuardedBuffer(m_exec, m_plan.stateBytes),
                                                          GuardedBuffer(m_exec,
                                                                        m_plan.stateBytes)} {
        m_stage->prepare(m_exec, m_inputSpec, m_plan, params);
        update(params);
    }

    const StagePlan& plan() const { return m_plan; }

    void update(const Params& params) {
        m_stage->update(m_exec, params);
        m_stream.synchronize();
    }

    /// Earlier frames are forgotten.
    void reset() { m_frames = 0; }

    HostFrame run(const HostFrame& input) {
        ++m_frames;
        return runAgain(input);
    }

    /// In the place of the frame run last, which is as if it had not been.
    HostFrame runAgain(const HostFrame& input) {
        if (!input.spec.sameLayout(m_inputSpec)) {
            throw std::logic_error("StageRunner: planned for " + m_inputSpec.describe());
        }
        m_output.poison();
        m_workspace.poison();
        const GuardedBuffer& next = m_states[m_frames % 2];
        const GuardedBuffer& past = m_states[(m_frames + 1) % 2];
        next.poison();
        upload(m_exec, m_input.data(), input.bytes.data(), input.bytes.size());
        const ConstTensorView reaching{m_input.data(), &m_inputSpec};
        m_stage->run(m_exec, {&reaching, 1}, {m_output.data(), &m_plan.output},
                     {m_workspace.data(), m_plan.workspaceBytes,
                      m_frames > 1 ? past.data() : nullptr, next.data()});
        HostFrame output(m_plan.output);
        download(m_exec, output.bytes.data(), m_output.data(), output.bytes.size());
        m_stream.synchronize();
        m_output.check(m_type.id + ": the output", m_stream);
        m_workspace.check(m_type.id + ": the workspace", m_stream);
        for (const GuardedBuffer& state : m_states)
            state.check(m_type.id + ": the state", m_stream);
        return output;
    }

private:
    static StagePlan checkedPlan(const StageType& type, const Stage& stage, const FrameSpec& input,
                                 const Params& params) {
        checkPort(type, input);
        return stage.plan(input, params);
    }

    const StageType& m_type;
    FrameSpec m_inputSpec;
    std::unique_ptr<Stage> m_stage;
    StagePlan m_plan;
    Stream m_stream;
    Exec m_exec;
    GuardedBuffer m_input;
    GuardedBuffer m_output;
    GuardedBuffer m_workspace;
    std::array<GuardedBuffer, 2> m_states; ///< of the frames before and now
    std::size_t m_frames = 0;
};

/// One frame through one stage.
inline HostFrame runStage(std::string_view id, const HostFrame& input,
                          const Settings& settings = {}, Backend backend = Backend::Cpu) {
    const StageType& type = stageType(id);
    StageRunner runner(type, input.spec, paramsFor(type, input.spec, settings), backend);
    return runner.run(input);
}

} // namespace echolux::test
