// SPDX-License-Identifier: GPL-3.0-or-later
// check PLUGIN: opens the library as the program does, and compares a drawing with levels that are
// known: at depth z the lines have the levels 0, 1, ... 20, shifted by -z, in a mixed order.
#include "app/session/view_type.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/plugin.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

using namespace echolux;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "Not true: %s\n", what);
    std::exit(1);
}

} // namespace

int main(int count, char** words) {
    expect(count == 2, "one argument, the plugin");
    void* library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    expect(library != nullptr, "the library opens");
    using Function = const PluginContents* (*)();
    const auto function = reinterpret_cast<Function>(dlsym(library, ECHOLUX_PLUGIN_FUNCTION));
    expect(function != nullptr && function()->views.size() == 1, "it brings one view");
    const std::unique_ptr<PluginView> view = function()->views[0]->open();

    constexpr int kDepths = 5;
    constexpr int kLines = 21;
    FrameSpec spec;
    spec.axes = {{.name = AxisName::Depth, .size = kDepths, .spacing = 1e-3, .unit = "m"},
                 {.name = AxisName::Lateral, .size = kLines, .unit = "m"}};
    spec.valueRange = ValueRange{-20.0, 20.0, "dB", "1"};
    std::vector<float> values;
    for (int depth = 0; depth < kDepths; ++depth)
        for (int line = 0; line < kLines; ++line)
            values.push_back(static_cast<float>(line * 8 % kLines - depth));
    const ViewDrawing drawing = view->draw({spec, values}, {300, 200});
    expect(drawing.horizontal.unit == "m" && drawing.horizontal.from == -0.5e-3, "depth in m");
    expect(drawing.vertical.unit == "dB re 1" && drawing.vertical.to == 20.0,
           "levels in dB, with their reference");
    expect(drawing.width == kDepths && drawing.height == 40, "one column per depth");
    expect(drawing.rgba.size() == std::size_t{4} * kDepths * 40, "all pixels");
    for (std::size_t depth = 0; depth < kDepths; ++depth) {
        const auto shift = static_cast<double>(depth);
        expect(drawing.curves[0].y[depth] == 2.0 - shift, "10 % lie at 2 or below");
        expect(drawing.curves[1].y[depth] == 10.0 - shift, "half lies at 10 or below");
        expect(drawing.curves[2].y[depth] == 18.0 - shift, "90 % lie at 18 or below");
    }
    expect(drawing.caption.find("16.0 dB") != std::string::npos, "the spread is 16 dB");

    spec.axes.pop_back();
    try {
        view->draw({spec, values}, {300, 200});
        expect(false, "an image without lines is refused");
    } catch (const Error&) { // as it should be
    }
}
