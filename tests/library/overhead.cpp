// SPDX-License-Identifier: GPL-3.0-or-later
// What the C interface adds to a frame: the smallest pipeline through the library and through the
// engine itself, by turns. Prints medians in microseconds. No test: its figures depend on the
// machine.
#include "app/library/echolux.h"
#include "app/pipeline/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace {

using namespace echolux;

constexpr const char* kPipeline = "version = 3\nname = \"smallest\"\n[[stage]]\ntype = \"tgc\"\n";
constexpr int kFrames = 20000;

template <class Call> double microseconds(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
        .count();
}

double median(std::vector<double> values) {
    std::ranges::nth_element(values,
                             values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    const char* backend = argc > 1 ? argv[1] : "cpu";
    echolux_spec* spec = echolux_spec_new("f32");
    echolux_spec_add_axis(spec, "depth", 8, 1e-4, 0.0, "m");
    echolux_spec_add_axis(spec, "lateral", 8, 1e-4, 0.0, "m");
    echolux_pipeline* pipeline = echolux_pipeline_new(kPipeline, spec, backend, 0, 2);
    if (pipeline == nullptr) {
        fmt::print(stderr, "{}\n", echolux_last_error());
        return 2;
    }
    FrameSpec input;
    input.axes = {{AxisName::Depth, 8, 1e-4, 0.0, "m"}, {AxisName::Lateral, 8, 1e-4, 0.0, "m"}};
    const Backend on = chooseBackend(backend).backend;
    Runner runner(on, 2);
    runner.apply(instantiate(parsePipeline(kPipeline, "smallest"), input));
    Buffer frame(stagingMemory(on), input.bytes());
    Buffer image(computeMemory(on), input.bytes());
    std::fill_n(frame.as<float>(), 64, 1.0F);

    std::vector<double> library;
    std::vector<double> engine;
    for (int i = 0; i < kFrames; ++i) {
        library.push_back(microseconds([&] {
            echolux_push(pipeline, frame.data(), frame.bytes(), i);
            echolux_take(pipeline, 600.0);
        }));
        engine.push_back(microseconds([&] {
            runner.waitShown(runner.enqueue(
                {.raw = frame.as<std::byte>(), .targets = {ViewTarget{image.data()}}}));
        }));
    }
    fmt::print("{}: library {:.2f} us, engine {:.2f} us, difference {:.2f} us\n", backend,
               median(library), median(engine), median(library) - median(engine));
    echolux_pipeline_free(pipeline);
    echolux_spec_free(spec);
    return 0;
}
