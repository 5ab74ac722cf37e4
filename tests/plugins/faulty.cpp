// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin whose stages fail, each at another point.
#include "tests/plugins/copy_stage.hpp"

#include <cstddef>
#include <stdexcept>

namespace {

struct ThrowsInPlan final : Copy {
    static StagePlan plan(const FrameSpec&, const Params&) { throw std::out_of_range("no plan"); }
};
struct ThrowsInPrepare final : Copy {
    void prepare(const Exec&, const FrameSpec&, const StagePlan&, const Params&) override {
        throw std::runtime_error("not ready");
    }
};
struct ThrowsInRun final : Copy {
    void run(const Exec&, const ConstTensorView&, const TensorView&, const Workspace&) override {
        throw 7; // NOLINT: not even an exception
    }
};
struct WantsTooMuch final : Copy {
    static StagePlan plan(const FrameSpec& input, const Params&) {
        return {.outputs = {input}, .workspaceBytes = std::size_t{1} << 60};
    }
};
struct PlansNothing final : Copy {
    static StagePlan plan(const FrameSpec&, const Params&) { return {}; }
};
struct WritesTooFar final : Copy {
    void run(const Exec&, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        std::copy_n(input.as<float>(), input.spec->count(), output.as<float>());
        output.as<float>()[input.spec->count()] = 1.0F;
    }
};

template <class S> const StageType& named(const char* id) {
    static const StageType kType = typeOf<S>(id);
    return kType;
}

} // namespace

ECHOLUX_PLUGIN("Faulty", "1.0", &named<ThrowsInPlan>("throws_in_plan"),
               &named<ThrowsInPrepare>("throws_in_prepare"), &named<ThrowsInRun>("throws_in_run"),
               &named<WantsTooMuch>("wants_too_much"), &named<PlansNothing>("plans_nothing"),
               &named<WritesTooFar>("writes_too_far"))
