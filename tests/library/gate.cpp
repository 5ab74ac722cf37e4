// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin whose stage says when it has begun a frame, and waits until a test lets the frame pass
// or fail. So tests of queues need no clock.
#include "tests/plugins/copy_stage.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

namespace {

struct Gate final : Copy {
    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const std::string path = std::getenv("ECHOLUX_TEST_GATE"); // NOLINT: set before
        std::ofstream(path + ".begun").put('.').flush();
        std::ifstream told;
        told.rdbuf()->pubsetbuf(nullptr, 0); // it must read no more than its own character
        told.open(path + ".told");
        if (told.get() == '!') throw std::runtime_error("the test wants it so");
        Copy::run(exec, input, output, workspace);
    }
};

const StageType& gate() {
    static const StageType kType = typeOf<Gate>("gate");
    return kType;
}

} // namespace

ECHOLUX_PLUGIN("Gate", "1.0", &gate())
