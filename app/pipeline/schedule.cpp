// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns lanes and buffers, step by step.
#include "app/pipeline/schedule.hpp"

#include "app/pipeline/view_motion.hpp"

#include <algorithm>
#include <numeric>

namespace echolux {
namespace {

class Scheduler {
public:
    Scheduler(const Snapshot& snapshot, const std::vector<Step>& steps,
              const std::vector<std::string>& kept, std::size_t lanes)
        : m_snapshot(snapshot), m_steps(steps), m_mostLanes(std::max<std::size_t>(lanes, 1)),
          m_outputsOf(snapshot.stages.size()) {
        for (std::size_t i = 0; i < steps.size(); ++i) addOutputs(i);
        m_uses.resize(m_made.outputs.size());
        m_made.workspaceBytes.assign(1, 0);
        m_lanes.resize(1);
        for (const Step& step : steps) {
            for (const Source source : step.inputs)
                if (isRead(inputOf(source))) ++m_uses[outputOf(source)].readsLeft;
        }
        for (const ViewState& view : snapshot.views) show(view);
        for (const std::string& each : kept) {
            const std::size_t output = outputOf(snapshot.resolved(keptSource(snapshot, each)));
            if (isMade(output)) m_uses[output].stays = true;
            m_made.kept.push_back(output);
        }
    }

    Schedule make() {
        for (std::size_t i = 0; i < m_steps.size(); ++i) place(i);
        join();
        cross();
        feedBack();
        for (const StageState& stage : m_snapshot.stages) {
            const std::size_t output = outputOf(sourceOf(stage));
            const bool there =
                output == Task::kRecording || (isMade(output) && m_uses[output].stays);
            m_made.stageOutputs.push_back(there ? output : Schedule::kNowhere);
        }
        return std::move(m_made);
    }

private:
    struct FreeBuffer {
        std::size_t buffer;
        std::size_t output; ///< the output that was in it; the readers of this output must have run
    };
    /// The readers of an output.
    struct Use {
        std::vector<std::size_t> readers; ///< tasks so far
        std::size_t readsLeft = 0;
        bool stays = false; ///< it is read until the frame ends
    };
    struct Lane {
        std::vector<std::size_t> tasks;
        std::vector<FreeBuffer> free;
        std::vector<std::size_t> waited; ///< tasks of other lanes, waited for; or kRecording
    };

    void addOutputs(std::size_t task) {
        const Step& step = m_steps[task];
        std::vector<std::size_t>& outputs = m_outputsOf[step.last()];
        for (std::size_t port = 0; port < step.wanted.size(); ++port) {
            outputs.push_back(step.wanted[port] ? m_made.outputs.size() : Task::kUnread);
            if (!step.wanted[port]) continue;
            const StagePlan& plan = m_snapshot.stages[step.last()].plan;
            m_made.outputs.push_back({task, port, 0, plan.outputs[port].bytes()});
        }
    }

    std::size_t outputOf(Source resolved) const {
        if (resolved.isRecording()) return Task::kRecording;
        const std::vector<std::size_t>& outputs = m_outputsOf[resolved.stage];
        return outputs.empty() ? Task::kUnread : outputs[resolved.output];
    }
    TaskInput inputOf(Source resolved) const {
        return {outputOf(resolved), resolved.ofFrameBefore};
    }
    bool isMade(std::size_t output) const { return output < m_made.outputs.size(); }
    /// True where the input is read from a buffer of this frame.
    bool isRead(const TaskInput& input) const {
        return isMade(input.output) && !input.ofFrameBefore;
    }
    /// The task that makes an output; kRecording for the recording.
    std::size_t taskOf(std::size_t output) const {
        return isMade(output) ? m_made.outputs[output].task : output;
    }
    /// The source of a stage's first output.
    Source sourceOf(const StageState& stage) const {
        return m_snapshot.resolved({static_cast<std::size_t>(&stage - m_snapshot.stages.data())});
    }

    void show(const ViewState& view) {
        const std::size_t output = outputOf(m_snapshot.resolved(view.source));
        const bool shown =
            std::ranges::find(m_made.views, output, &ViewData::output) != m_made.views.end();
        m_made.views.push_back({output, isMade(output) && !shown});
        if (isMade(output)) m_uses[output].stays = true;
        const auto motion = motionOf(m_snapshot, view);
        if (!motion) return;
        for (std::size_t part = 0; part < motion->size(); ++part) {
            const std::size_t made = outputOf((*motion)[part]);
            m_made.views.back().motion[part] = made;
            m_uses[made].stays = true;
        }
    }

    void place(std::size_t i) {
        Task task;
        task.isAside = m_steps[i].isAside;
        for (const Source source : m_steps[i].inputs) task.inputs.push_back(inputOf(source));
        task.outputs = m_outputsOf[m_steps[i].last()];
        task.lane = chooseLane(task);
        for (const TaskInput& input : task.inputs)
            if (!input.ofFrameBefore) awaitTask(task, taskOf(input.output));
        task.onHost = m_steps[i].onHost;
        for (const std::size_t output : task.outputs)
            if (output != Task::kUnread) takeBuffer(task, m_made.outputs[output]);
        mark(task);
        std::size_t& workspace = m_made.workspaceBytes[task.lane];
        if (!task.onHost) workspace = std::max(workspace, m_steps[i].workspaceBytes);
        m_lanes[task.lane].tasks.push_back(i);
        for (const TaskInput& input : task.inputs) {
            if (!isRead(input)) continue;
            const std::size_t from = input.output;
            m_uses[from].readers.push_back(i);
            if (--m_uses[from].readsLeft == 0 && !m_uses[from].stays) {
                const TaskOutput& output = m_made.outputs[from];
                m_lanes[m_made.tasks[output.task].lane].free.push_back({output.buffer, from});
            }
        }
        m_made.tasks.push_back(std::move(task));
    }

    /// Continues the lane whose last task makes an input, unless only one of the two tasks is
    /// aside. Else it begins a new lane while there may be more.
    std::size_t chooseLane(const Task& task) {
        for (const TaskInput& input : task.inputs) {
            if (input.output == Task::kRecording) {
                if (m_lanes[0].tasks.empty() && !task.isAside) return 0;
            } else if (isRead(input)) {
                const std::size_t from = taskOf(input.output);
                const std::size_t lane = m_made.tasks[from].lane;
                const bool goesOn = m_lanes[lane].tasks.back() == from;
                if (goesOn && task.isAside == m_made.tasks[from].isAside) return lane;
            }
        }
        if (m_lanes.size() < m_mostLanes) {
            m_lanes.emplace_back();
            m_made.workspaceBytes.push_back(0);
            return m_lanes.size() - 1;
        }
        const std::size_t from = taskOf(task.inputs.front().output); // inputs[0] is of this frame
        return from == Task::kRecording ? 0 : m_made.tasks[from].lane;
    }

    /// The upload and lane 0 use one stream, so the recording counts as a task of lane 0.
    void awaitTask(Task& task, std::size_t other) {
        const std::size_t otherLane = other == Task::kRecording ? 0 : m_made.tasks[other].lane;
        if (otherLane == task.lane) return;
        Lane& lane = m_lanes[task.lane];
        const bool known = std::ranges::any_of(lane.waited, [&](std::size_t seen) {
            if (seen == other) return true;
            if (seen == Task::kRecording) return false;
            return m_made.tasks[seen].lane == otherLane &&
                   (other == Task::kRecording || seen > other);
        });
        if (known) return;
        lane.waited.push_back(other);
        task.waits.push_back(other);
        if (other != Task::kRecording) m_made.tasks[other].isAwaited = true;
    }

    /// Takes the smallest free buffer that is large enough, else enlarges the largest one.
    void takeBuffer(Task& task, TaskOutput& output) {
        const std::size_t bytes = output.bytes;
        std::vector<FreeBuffer>& free = m_lanes[task.lane].free;
        if (free.empty()) {
            output.buffer = m_made.bufferBytes.size();
            m_made.bufferBytes.push_back(bytes);
            return;
        }
        const auto sizeOf = [this](const FreeBuffer& each) {
            return m_made.bufferBytes[each.buffer];
        };
        const auto best = std::ranges::min_element(free, [&](const auto& a, const auto& b) {
            const bool fitsA = sizeOf(a) >= bytes;
            const bool fitsB = sizeOf(b) >= bytes;
            if (fitsA != fitsB) return fitsA;
            return fitsA ? sizeOf(a) < sizeOf(b) : sizeOf(a) > sizeOf(b);
        });
        output.buffer = best->buffer;
        m_made.bufferBytes[output.buffer] = std::max(m_made.bufferBytes[output.buffer], bytes);
        for (const std::size_t reader : m_uses[best->output].readers) awaitTask(task, reader);
        free.erase(best);
    }

    void mark(Task& task) {
        const Lane& lane = m_lanes[task.lane];
        const bool first = lane.tasks.empty();
        task.marksStart = !task.waits.empty() || (first && task.lane != 0);
        if (task.marksStart) {
            task.startMark = m_made.marks++;
        } else {
            task.startMark =
                first ? Schedule::kUploadMark : m_made.tasks[lane.tasks.back()].endMark;
        }
        task.endMark = m_made.marks++;
    }

    void join() {
        m_made.endMark = m_made.marks++;
        for (std::size_t i = 1; i < m_lanes.size(); ++i) {
            const std::vector<std::size_t>& tasks = m_lanes[i].tasks;
            m_made.ends.push_back(tasks.back());
            const auto shown = std::find_if(tasks.rbegin(), tasks.rend(), [this](std::size_t task) {
                return !m_made.tasks[task].isAside;
            });
            if (shown != tasks.rend()) m_made.shownEnds.push_back(*shown);
        }
        for (const std::vector<std::size_t>* ends : {&m_made.ends, &m_made.shownEnds})
            for (const std::size_t task : *ends) m_made.tasks[task].isAwaited = true;
    }

    /// Marks outputs that are made on one side and read on the other.
    void cross() {
        for (std::size_t i = 0; i < m_made.outputs.size(); ++i) {
            TaskOutput& output = m_made.outputs[i];
            const bool onHost = m_made.tasks[output.task].onHost;
            output.toDevice = onHost && m_uses[i].stays;
            for (const std::size_t reader : m_uses[i].readers) {
                if (m_made.tasks[reader].onHost == onHost) continue;
                (onHost ? output.toDevice : output.toHost) = true;
            }
        }
    }

    /// A task that reads another task's output of the frame before waits for that task. The task
    /// that makes the output waits for tasks that may still read its output from two frames ago.
    void feedBack() {
        const auto follow = [this](std::size_t task, std::size_t other) {
            std::vector<std::size_t>& follows = m_made.tasks[task].follows;
            if (std::ranges::find(follows, other) == follows.end()) follows.push_back(other);
        };
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            for (const TaskInput& input : m_made.tasks[i].inputs) {
                if (!input.ofFrameBefore) continue;
                TaskOutput& output = m_made.outputs[input.output];
                (m_made.tasks[i].onHost ? output.feedsHost : output.feedsDevice) = true;
                follow(i, output.task);
                follow(output.task, i);
            }
        }
        for (std::size_t i = 0; i < m_steps.size(); ++i)
            if (m_steps[i].stateBytes > 0 || !m_made.tasks[i].follows.empty()) follow(i, i);
    }

    const Snapshot& m_snapshot;
    const std::vector<Step>& m_steps;
    std::size_t m_mostLanes;
    std::vector<std::vector<std::size_t>> m_outputsOf; ///< per stage that ends a step, and port
    std::vector<Use> m_uses;                           ///< per output
    std::vector<Lane> m_lanes;
    Schedule m_made;
};

} // namespace

std::size_t Schedule::bytes() const {
    return std::accumulate(bufferBytes.begin(), bufferBytes.end(), std::size_t{0}) +
           std::accumulate(workspaceBytes.begin(), workspaceBytes.end(), std::size_t{0});
}

std::size_t Schedule::pastBytes() const {
    std::size_t fedBack = 0;
    std::size_t longest = 0; // bytes of zeros, for frames without a previous one
    for (const TaskOutput& output : outputs) {
        if (!output.feedsDevice) continue;
        fedBack += 4 * output.bytes;
        longest = std::max(longest, output.bytes);
    }
    return fedBack + longest;
}

Schedule makeSchedule(const Snapshot& snapshot, const std::vector<Step>& steps,
                      const std::vector<std::string>& kept, std::size_t lanes) {
    return Scheduler(snapshot, steps, kept, lanes).make();
}

} // namespace echolux
