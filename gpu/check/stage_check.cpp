// SPDX-License-Identifier: GPL-3.0-or-later
// Runs stages over generated cases and compares.
#include "gpu/check/stage_check.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

namespace echolux::check {
namespace {

using Sequence = std::vector<HostFrames>;
using Finding = std::optional<std::string>;

bool isFloat(DType dtype) { return dtype == DType::F32 || dtype == DType::ComplexF32; }

bool isFinite(const HostFrame& frame) {
    if (!isFloat(frame.spec.dtype)) return true;
    const bool hasGaps = frame.spec.hasGaps;
    return std::ranges::all_of(frame.as<float>(), [hasGaps](float value) {
        return std::isfinite(value) || (hasGaps && std::isnan(value));
    });
}

/// The first finding of `check` over the generated cases, with its case. What a case throws is a
/// finding, too.
Findings overCases(const StageType& type,
                   const std::function<Finding(const StageCase&, Sequence&)>& check) {
    Findings found;
    const int accepted = forEachCase(type, [&](const StageCase& each, const Sequence& frames) {
        if (!found.empty()) return;
        Finding finding;
        try {
            Sequence own = frames;
            finding = check(each, own);
        } catch (const std::exception& error) {
            finding = error.what();
        }
        if (finding) found.push_back(*finding + " [" + each.describe() + "]");
    });
    if (found.empty() && accepted < kLeastCases) {
        found.push_back(fmt::format("stage '{}' accepted {} of {} generated cases; at least {} "
                                    "are needed to say anything",
                                    type.id, accepted, kMostSeeds, kLeastCases));
    }
    return found;
}

bool isKey(std::string_view text) {
    return !text.empty() && std::islower(static_cast<unsigned char>(text.front())) != 0 &&
           std::ranges::all_of(text, [](unsigned char c) {
               return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
           });
}

/// How two outputs differ by more than the type's tolerance.
Finding beyondTolerance(const StageType& type, const HostFrame& cpu, const HostFrame& cuda) {
    if (!isFloat(cpu.spec.dtype)) {
        return cpu.bytes == cuda.bytes ? Finding() : "the backends give other codes";
    }
    const auto expected = cpu.as<float>();
    const auto actual = cuda.as<float>();
    double peak = 0.0;
    for (const float value : expected)
        if (!std::isnan(value)) peak = std::max(peak, std::fabs(static_cast<double>(value)));
    const double allowed = type.tolerance.absolute + type.tolerance.relative * peak;
    std::size_t outside = 0;
    std::size_t worst = 0;
    double worstDifference = -1.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool noData = cpu.spec.hasGaps && std::isnan(actual[i]) && std::isnan(expected[i]);
        const double difference =
            noData ? 0.0 : std::fabs(static_cast<double>(actual[i]) - expected[i]);
        if (!(difference <= allowed)) ++outside;
        if (!(difference <= worstDifference)) {
            worst = i;
            worstDifference = difference;
        }
    }
    const auto flips =
        static_cast<std::size_t>(type.tolerance.flips * static_cast<double>(expected.size()));
    if (outside <= flips) return std::nullopt;
    return fmt::format("{} of {} values differ by more than {} between the backends; worst is "
                       "element {}: CPU {}, CUDA {}",
                       outside, expected.size(), allowed, worst, expected[worst], actual[worst]);
}

Finding compare(const StageCase& each, const Sequence& frames) {
    StageRunner cpu(*each.type, each.inputs, each.params, Backend::Cpu);
    StageRunner cuda(*each.type, each.inputs, each.params, Backend::Cuda);
    for (const HostFrames& frame : frames) {
        if (Finding found = beyondTolerance(*each.type, cpu.run(frame), cuda.run(frame)))
            return found;
    }
    if (Finding found = beyondTolerance(*each.type, cpu.runAgain(frames.front()),
                                        cuda.runAgain(frames.front())))
        return found;
    cpu.reset();
    cuda.reset();
    const HostFrames expected = cpu.runAll(frames.back());
    const HostFrames actual = cuda.runAll(frames.back());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (Finding found = beyondTolerance(*each.type, expected[i], actual[i])) return found;
    }
    return std::nullopt;
}

/// Why no card could launch the kernel.
Finding unlaunchable(const model::Launch& launch) {
    constexpr double kMostThreads = 1024.0;
    constexpr double kMostShared = 227.0 * 1024.0; // [bytes]
    constexpr double kMostRegisters = 65536.0;
    if (!(launch.blocks >= 1.0) || !std::isfinite(launch.blocks))
        return fmt::format("it has {} blocks", launch.blocks);
    if (!(launch.threads >= 1.0 && launch.threads <= kMostThreads))
        return fmt::format("a block has {} threads", launch.threads);
    if (!(launch.sharedBytes >= 0.0 && launch.sharedBytes <= kMostShared))
        return fmt::format("a block has {} bytes of shared memory", launch.sharedBytes);
    if (!(launch.registers >= 0.0 && launch.registers * launch.threads <= kMostRegisters))
        return fmt::format("a thread has {} registers", launch.registers);
    if (!(launch.heaviest >= 1.0)) return "the first block has less work than the mean";
    return std::nullopt;
}

Finding impossible(const model::Kernel& kernel) {
    if (Finding found = unlaunchable(kernel.launch)) return found;
    for (const model::Part& part : kernel.parts) {
        for (const double count :
             {part.globalBytes, part.distinctBytes, part.sharedBytes, part.ffma, part.fmul,
              part.fadd, part.special, part.offsets, part.barriers, part.storesPerLoad}) {
            if (!std::isfinite(count) || count < 0.0)
                return fmt::format("part '{}' has a count of {}", part.name, count);
        }
        if (part.distinctBytes > part.globalBytes * (1.0 + 1e-9))
            return fmt::format("part '{}' has {} different bytes among {}", part.name,
                               part.distinctBytes, part.globalBytes);
        if (!(part.independent > 0.0))
            return fmt::format("part '{}' has {} independent instructions", part.name,
                               part.independent);
    }
    return std::nullopt;
}

Finding unsoundWork(const StageCase& each, const PlannedStage& stage, const ReadsInPart& inPart) {
    constexpr double kRounding = 0.999;
    const auto bytesOf = [](const FrameSpec& spec) { return static_cast<double>(spec.bytes()); };
    const std::vector<model::Kernel> kernels = each.type->work(stage);
    double memory = static_cast<double>(stage.plan.workspaceBytes + 2 * stage.plan.stateBytes +
                                        stage.plan.heldBytes);
    double least = 0.0;
    for (std::size_t port = 0; port < stage.inputs.size(); ++port) {
        memory += bytesOf(stage.inputs[port]);
        if (!inPart || !inPart(each, port)) least += bytesOf(stage.inputs[port]);
    }
    for (std::size_t port = 0; port < stage.plan.outputs.size(); ++port) {
        memory += bytesOf(stage.plan.outputs[port]);
        if (stage.wants(port)) least += bytesOf(stage.plan.outputs[port]);
    }
    constexpr double kConstants = 4096.0; // what no plan counts, such as arguments of kernels
    double touched = 0.0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const std::string which =
            fmt::format("kernel {} of {} ('{}'): ", i + 1, kernels.size(), kernels[i].name);
        if (Finding found = impossible(kernels[i])) return which + *found;
        const double own = kernels[i].total().distinctBytes;
        touched += own;
        if (own > 2.0 * memory + kConstants)
            return fmt::format("{}it touches {} different bytes, but there are {}", which, own,
                               memory);
    }
    if (touched < kRounding * least)
        return fmt::format("all kernels touch {} different bytes, but inputs and outputs have {}",
                           touched, least);
    return std::nullopt;
}

} // namespace

Findings declaresSoundWork(const StageType& type, const ReadsInPart& inPart) {
    if (type.work == nullptr) return {"stage '" + type.id + "' declares no work"};
    return overCases(type, [&](const StageCase& each, const Sequence&) -> Finding {
        const StagePlan plan = type.plan(each.inputs, each.params);
        for (const Backend backend : {Backend::Cpu, Backend::Cuda}) {
            std::vector<std::vector<bool>> wanted{std::vector<bool>(plan.outputs.size(), true)};
            for (std::size_t port = 0; port < plan.outputs.size(); ++port) {
                wanted.emplace_back(plan.outputs.size(), false);
                wanted.back()[port] = true;
            }
            for (const std::vector<bool>& which : wanted) {
                const PlannedStage stage{backend, each.inputs, plan, each.params, which};
                if (Finding found = unsoundWork(each, stage, inPart))
                    return fmt::format("on {}: {}", backend == Backend::Cpu ? "the CPU" : "CUDA",
                                       *found);
            }
        }
        return std::nullopt;
    });
}

Findings isFiniteAndRepeatable(const StageType& type) {
    int cases = 0;
    int alive = 0;
    Findings found = overCases(type, [&](const StageCase& each, const Sequence& frames) -> Finding {
        StageRunner runner(*each.type, each.inputs, each.params);
        std::vector<HostFrame> outputs;
        for (const HostFrames& frame : frames) {
            outputs.push_back(runner.run(frame));
            if (!isFinite(outputs.back())) return "an output is not finite";
        }
        runner.reset();
        const auto saysSomething = [](const HostFrame& output) {
            return std::ranges::any_of(output.bytes, [](std::byte b) { return b != std::byte{}; });
        };
        ++cases;
        if (std::ranges::any_of(runner.runAll(frames.front()), saysSomething)) ++alive;
        runner.reset();
        for (std::size_t i = 0; i < frames.size(); ++i) {
            if (runner.run(frames[i]).bytes != outputs[i].bytes)
                return fmt::format("frame {} gives something else in a second run", i);
        }
        return std::nullopt;
    });
    if (found.empty() && 2 * alive < cases) {
        found.push_back(fmt::format("stage '{}': in {} of {} cases all outputs are zero", type.id,
                                    cases - alive, cases));
    }
    return found;
}

Findings outputsAreIndependent(const StageType& type) {
    if (type.outputs.size() == 1) return {};
    return overCases(type, [](const StageCase& each, const Sequence& frames) -> Finding {
        StageRunner runner(*each.type, each.inputs, each.params);
        const HostFrames all = runner.runAll(frames.front());
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::vector<bool> only(all.size(), false);
            only[i] = true;
            runner.reset();
            if (runner.runWanted(frames.front(), only)[i].bytes != all[i].bytes)
                return fmt::format("output {} depends on which others are read", i);
            if (!isFinite(all[i])) return fmt::format("output {} is not finite", i);
        }
        return std::nullopt;
    });
}

Findings repeatsFrames(const StageType& type) {
    return overCases(type, [](const StageCase& each, const Sequence& frames) -> Finding {
        StageRunner runner(*each.type, each.inputs, each.params);
        for (const HostFrames& frame : frames) {
            const HostFrame once = runner.run(frame);
            if (frames.size() > 1) runner.runAgain(frames.back());
            if (runner.runAgain(frame).bytes != once.bytes)
                return "a frame that is run again gives something else";
        }
        return std::nullopt;
    });
}

Findings survivesNanAndInfinity(const StageType& type) {
    return overCases(type, [](const StageCase& each, Sequence& frames) -> Finding {
        const float wild[] = {
            std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
            -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max()};
        StageRunner runner(*each.type, each.inputs, each.params);
        for (HostFrames& inputs : frames) {
            for (HostFrame& frame : inputs) {
                if (!isFloat(frame.spec.dtype)) continue;
                auto values = frame.as<float>();
                for (std::size_t i = 0; i < values.size(); i += 3) values[i] = wild[i / 3 % 4];
            }
            runner.run(inputs);
        }
        return std::nullopt;
    });
}

Findings liveEditsEqualAFreshStart(const StageType& type) {
    return overCases(type, [](const StageCase& each, const Sequence& frames) -> Finding {
        Params before = each.type->defaultsFor(each.inputs.front());
        for (const ParamRow& row : each.type->table.rows()) {
            if (row.kind == ParamKind::Structural)
                before.set(each.type->id, row.key, each.params.get(row.key));
        }
        try {
            each.type->plan(each.inputs, before);
        } catch (const Error&) {
            return std::nullopt;
        }
        StageRunner edited(*each.type, each.inputs, before);
        edited.run(frames.front());
        edited.update(each.params);
        edited.reset();
        StageRunner fresh(*each.type, each.inputs, each.params);
        if (edited.run(frames.front()).bytes == fresh.run(frames.front()).bytes)
            return std::nullopt;
        return "live edits give something else than a new instance with the same values";
    });
}

Findings hasASoundTable(const StageType& type) {
    Findings found;
    const auto demand = [&](bool isTrue, const std::string& sentence) {
        if (!isTrue) found.push_back("stage '" + type.id + "': " + sentence);
    };
    demand(isKey(type.id), "the id consists of a-z, 0-9 and _");
    demand(!type.label.empty(), "it needs a label");
    demand(type.help.ends_with('.'), "the help is a sentence and ends with a full stop");
    demand(!type.inputs.empty(), "it needs an input");
    demand(!type.outputs.empty() && type.outputs.front().name == kOutputPort,
           "the first output is called 'out'");
    std::set<std::string> keys;
    for (const ParamRow& row : type.table.rows()) {
        const std::string parameter = "parameter '" + row.key + "' ";
        demand(keys.insert(row.key).second, parameter + "stands twice");
        demand(isKey(row.key), parameter + "must consist of a-z, 0-9 and _");
        demand(!row.label.empty(), parameter + "needs a label");
        demand(!row.help.empty(), parameter + "needs a help");
        demand(row.min <= row.max, parameter + "has a minimum above its maximum");
        demand(row.step > 0.0, parameter + "needs a step above 0");
        demand(row.scale == ParamScale::Linear || row.min > 0.0,
               parameter + "has a logarithmic scale and must be above 0");
        try {
            Params params(type.table);
            params.set(type.id, row.key, params.get(row.key));
        } catch (const Error& error) {
            demand(false, parameter + "refuses its own default: " + error.what());
        }
    }
    return found;
}

Findings backendsAgree(const StageType& type, const std::function<bool(const StageCase&)>& skips) {
    return overCases(type, [&](const StageCase& each, const Sequence& frames) -> Finding {
        if (skips && skips(each)) return std::nullopt;
        return compare(each, frames);
    });
}

const std::vector<NamedCheck>& hostChecks() {
    static const std::vector<NamedCheck> kChecks{
        {"sound table", hasASoundTable},
        {"finite, repeatable, within its memory", isFiniteAndRepeatable},
        {"outputs independent of each other", outputsAreIndependent},
        {"a frame run again", repeatsFrames},
        {"NaN and infinity", survivesNanAndInfinity},
        {"live edits equal a fresh start", liveEditsEqualAFreshStart},
    };
    return kChecks;
}

} // namespace echolux::check
