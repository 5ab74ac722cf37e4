// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of a stage besides the rows of its table, as plain data. Keys are those of
// the table. Lengths are in m.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/stage/param_table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// A stage in a pipeline. The references are valid during the call.
struct ShownStage {
    const FrameSpec& input; ///< of the first port
    const Params& params;
    const Params& defaults; ///< for this input
};

/// A small plot of what the parameters do, over the curve of "no effect".
struct StageCurve {
    std::string underKey = {}; ///< row above the plot; empty: the plot is below the last row
    std::vector<double> x = {}, y = {};
    std::vector<double> neutralX = {}, neutralY = {};
    std::string xLabel = {}, yLabel = {}; ///< with units, "MHz", "dB"
    double xMin = 0.0, xMax = 1.0;
    double yMin = 0.0, yMax = 1.0;
    bool operator==(const StageCurve&) const = default;
};

/// The range of a slider for this input, where the table allows a far wider one.
struct SliderSpan {
    std::string key;
    double min = 0.0;
    double max = 1.0;
    bool moves = false; ///< follows edits of the stage; others stay, so that no slider moves while
                        ///< another one is dragged
    bool operator==(const SliderSpan&) const = default;
};

/// A value that a row takes in the same step as an edit of another row.
struct CompanionValue {
    std::string key;
    ParamValue value;
};

/// The part of the image that a stage works on, as a box that is dragged. Rows without a key:
/// `depth` and `height`: the box reaches over all depths; `width`: it is one line.
struct ImageBox {
    std::string label;
    std::string depth = {}; ///< key of its middle
    std::string lateral;    ///< key of its middle
    std::string height = {};
    std::string width = {};
    double drawnWidthM = 0.0;  ///< of a line
    bool followsClicks = true; ///< false: a dock of its own shows and hides it
};

/// The first and the last of numbered values that a stage keeps, as two lines that are dragged.
struct KeptNumbers {
    ParamCondition onlyWith; ///< the stage numbers values while it holds
    ParamCondition byNumber; ///< the two numbers count while it holds; a drag makes it hold
    std::string first, last; ///< keys of numbers from 1
};

/// All of it. The functions are pure; where one throws, the window shows nothing of it.
struct ShownParts {
    std::vector<StageCurve> (*curves)(const ShownStage& stage) = nullptr;
    std::vector<SliderSpan> (*spans)(const ShownStage& stage) = nullptr;
    /// After the parameter `key` got its present value by an edit.
    std::vector<CompanionValue> (*companions)(const ShownStage& stage,
                                              std::string_view key) = nullptr;
    std::optional<ImageBox> box = {};
    std::optional<KeptNumbers> kept = {};
};

} // namespace echolux
