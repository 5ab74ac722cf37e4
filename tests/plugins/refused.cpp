// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin that is refused when it is loaded: compiled once for each reason.
#include "gpu/stage/plugin.hpp"

#include <stdexcept>

namespace {

using namespace echolux;

struct NoParams {};

class Copy : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) { return {.outputs = {input}}; }
    void update(const Exec&, const Params&) override {}
    void run(const Exec&, const ConstTensorView&, const TensorView&, const Workspace&) override {}
};

const StageType& copyStage() {
#if defined(REFUSED_THROWS)
    throw std::runtime_error("no licence");
#endif
    static const StageType kType{.id = REFUSED_ID,
                                 .label = "Copy",
                                 .help = "Copies.",
                                 .table = ParamTable::of<NoParams>().build(),
                                 .inputs = {{.dtypes = {DType::F32}}},
                                 .tolerance = {},
                                 .code = codeOf<Copy>()};
    return kType;
}

} // namespace

ECHOLUX_PLUGIN("Refused", "1.0", &copyStage())
