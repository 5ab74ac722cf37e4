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
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux::check {

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

using HostFrames = std::vector<HostFrame>; ///< one for each port of a stage

inline std::vector<FrameSpec> specsOf(const HostFrames& frames) {
    std::vector<FrameSpec> specs;
    for (const HostFrame& frame : frames) specs.push_back(frame.spec);
    return specs;
}

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

/// One stage instance, planned and prepared for one input specification per port. Throws what plan
/// throws.
class StageRunner {
public:
    StageRunner(const StageType& type, std::vector<FrameSpec> inputs, const Params& params,
                Backend backend = Backend::Cpu)
        : m_type(type), m_inputSpecs(std::move(inputs)), m_stage(type.create()),
          m_plan(checkedPlan(type, m_inputSpecs, params)),
          m_stream(backend, "test"), m_exec{backend, m_stream.get()},
          m_workspace(m_exec, m_plan.workspaceBytes), m_states{
                                                          GuardedBuffer(m_exec, m_plan.stateBytes),
                                                          GuardedBuffer(m_exec,
                                                                        m_plan.stateBytes)} {
        for (const FrameSpec& spec : m_inputSpecs) m_inputs.emplace_back(m_exec, spec.bytes());
        m_outputs.resize(type.outputs.size());
        m_stage->prepare(m_exec, m_inputSpecs, m_plan, params);
        update(params);
    }
    StageRunner(const StageType& type, const FrameSpec& input, const Params& params,
                Backend backend = Backend::Cpu)
        : StageRunner(type, std::vector<FrameSpec>{input}, params, backend) {}

    const StagePlan& plan() const { return m_plan; }

    void update(const Params& params) {
        m_stage->update(m_exec, params);
        m_stream.synchronize();
    }

    /// Earlier frames are forgotten.
    void reset() { m_frames = 0; }

    HostFrame run(const HostFrame& input) { return run(HostFrames{input}); }
    HostFrame run(const HostFrames& inputs) {
        ++m_frames;
        return runAgain(inputs);
    }
    /// One frame per output; those that are not wanted, or not to be had, stay empty.
    HostFrames runWanted(const HostFrames& inputs, const std::vector<bool>& wanted) {
        ++m_frames;
        return compute(inputs, wanted);
    }
    HostFrames runAll(const HostFrames& inputs) {
        return runWanted(inputs, std::vector<bool>(m_outputs.size(), true));
    }

    /// In the place of the frame run last, which is as if it had not been.
    HostFrame runAgain(const HostFrame& input) { return runAgain(HostFrames{input}); }
    HostFrame runAgain(const HostFrames& inputs) {
        std::vector<bool> first(m_outputs.size(), false);
        first.front() = true;
        return compute(inputs, first).front();
    }

private:
    HostFrames compute(const HostFrames& inputs, const std::vector<bool>& wanted) {
        m_workspace.poison();
        const GuardedBuffer& next = m_states[m_frames % 2];
        const GuardedBuffer& past = m_states[(m_frames + 1) % 2];
        next.poison();
        const std::vector<ConstTensorView> reaching = uploaded(inputs);
        std::vector<TensorView> made;
        const auto isMade = [&](std::size_t i) {
            return wanted[i] && (i == 0 || m_plan.onlyFirstOutput.empty());
        };
        for (std::size_t i = 0; i < m_outputs.size(); ++i)
            made.push_back({isMade(i) ? poisonedOutput(i) : nullptr, &m_plan.outputs[i]});
        m_stage->run(m_exec, reaching, made,
                     {m_workspace.data(), m_plan.workspaceBytes,
                      m_frames > 1 ? past.data() : nullptr, next.data()});
        HostFrames outputs(m_outputs.size());
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            if (!isMade(i)) continue;
            outputs[i] = HostFrame(m_plan.outputs[i]);
            download(m_exec, outputs[i].bytes.data(), m_outputs[i]->data(),
                     outputs[i].bytes.size());
        }
        m_stream.synchronize();
        for (const auto& output : m_outputs) {
            if (output) output->check(m_type.id + ": an output", m_stream);
        }
        m_workspace.check(m_type.id + ": the workspace", m_stream);
        for (const GuardedBuffer& state : m_states)
            state.check(m_type.id + ": the state", m_stream);
        return outputs;
    }

    void* poisonedOutput(std::size_t i) {
        std::optional<GuardedBuffer>& output = m_outputs[i];
        if (output)
            output->poison();
        else
            output.emplace(m_exec, m_plan.outputs[i].bytes());
        return output->data();
    }

    static StagePlan checkedPlan(const StageType& type, const std::vector<FrameSpec>& inputs,
                                 const Params& params) {
        if (inputs.size() != type.inputs.size())
            throw std::logic_error("StageRunner: " + type.id + " has other ports");
        for (std::size_t port = 0; port < inputs.size(); ++port)
            checkPort(type, inputs[port], port);
        StagePlan plan = type.plan(inputs, params);
        if (plan.outputs.size() != type.outputs.size())
            throw std::logic_error("StageRunner: " + type.id +
                                   " plans other outputs than it names");
        return plan;
    }

    std::vector<ConstTensorView> uploaded(const HostFrames& inputs) const {
        if (inputs.size() != m_inputs.size())
            throw std::logic_error("StageRunner: " + m_type.id + " has other ports");
        std::vector<ConstTensorView> views;
        for (std::size_t port = 0; port < inputs.size(); ++port) {
            const HostFrame& input = inputs[port];
            if (!input.spec.sameLayout(m_inputSpecs[port]))
                throw std::logic_error("StageRunner: planned for " + m_inputSpecs[port].describe());
            upload(m_exec, m_inputs[port].data(), input.bytes.data(), input.bytes.size());
            views.push_back({m_inputs[port].data(), &m_inputSpecs[port]});
        }
        return views;
    }

    const StageType& m_type;
    std::vector<FrameSpec> m_inputSpecs;
    std::unique_ptr<Stage> m_stage;
    StagePlan m_plan;
    Stream m_stream;
    Exec m_exec;
    std::vector<GuardedBuffer> m_inputs;
    std::vector<std::optional<GuardedBuffer>> m_outputs; ///< made when first wanted
    GuardedBuffer m_workspace;
    std::array<GuardedBuffer, 2> m_states; ///< of the frames before and now
    std::size_t m_frames = 0;
};

/// One frame per port through one stage.
inline HostFrame runStage(std::string_view id, const HostFrames& inputs,
                          const Settings& settings = {}, Backend backend = Backend::Cpu) {
    const StageType& type = stageType(id);
    StageRunner runner(type, specsOf(inputs), paramsFor(type, inputs.front().spec, settings),
                       backend);
    return runner.run(inputs);
}
inline HostFrame runStage(std::string_view id, const HostFrame& input,
                          const Settings& settings = {}, Backend backend = Backend::Cpu) {
    return runStage(id, HostFrames{input}, settings, backend);
}

} // namespace echolux::check
