// SPDX-License-Identifier: GPL-3.0-or-later
// A stage that hands its input on, for plugins that are wrong in other ways.
#pragma once

#include "gpu/stage/plugin.hpp"

#include <algorithm>

namespace {

using namespace echolux;

struct NoParams {};

class Copy : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) { return {.outputs = {input}}; }
    void update(const Exec&, const Params&) override {}
    void run(const Exec&, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        std::copy_n(input.as<float>(), input.spec->count(), output.as<float>());
    }
};

template <class S> StageType typeOf(const char* id) {
    return {.id = id,
            .label = id,
            .help = "Copies.",
            .table = ParamTable::of<NoParams>().build(),
            .inputs = {{.dtypes = {DType::F32}}},
            .tolerance = {},
            .code = codeOf<S>()};
}

} // namespace
