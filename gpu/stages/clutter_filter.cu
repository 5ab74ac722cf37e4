// SPDX-License-Identifier: GPL-3.0-or-later
// clutter_filter: removes what hardly changes over the F frames of an ensemble, such as tissue:
//   y[f][p] = sum over g of x[g][p] M[g][f]
// M is I - Q Q^T for polynomials, or the projection on a range of singular vectors (gpu/flow).
#include "gpu/flow/frame_mixing.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"

#include <fmt/format.h>

namespace echolux {
namespace {

constexpr const char* kClutterFilterId = "clutter_filter";

enum class Clutter { Polynomial, SingularValues };

struct ClutterFilterParams {
    Clutter method = Clutter::Polynomial;
    std::int64_t order = 1;
    std::int64_t first = 2;
    std::int64_t last = kMostEnsembleFrames;
};

class ClutterFilter final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<ClutterFilterParams>();
        const auto frames = input.axes.front().size;
        StagePlan plan{.outputs = {input}};
        const auto count = static_cast<std::size_t>(frames);
        if (values.method == Clutter::SingularValues) {
            plan.workspaceBytes = aligned(count * count * sizeof(Complex)) +
                                  flow::subspaceBytes(static_cast<int>(frames));
            if (values.first > frames || values.first > values.last)
                plan.warnings.push_back(
                    fmt::format("Nothing is left of the ensemble: 'first' is {}, and {} singular "
                                "values are kept at most; lower it.",
                                values.first, std::min(values.last, frames)));
        } else {
            plan.heldBytes = count * count * sizeof(Complex);
            if (values.order + 1 >= frames)
                plan.warnings.push_back(
                    fmt::format("A polynomial of order {} fits {} frames completely, so nothing is "
                                "left; lower 'order' or image more frames together.",
                                values.order, frames));
        }
        return plan;
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_frames = static_cast<int>(input.axes.front().size);
        const auto count = static_cast<std::size_t>(m_frames);
        if (params.as<ClutterFilterParams>().method == Clutter::Polynomial)
            m_matrix.allocate(exec, count * count);
    }

    void update(const Exec& exec, const Params& params) override {
        m_values = params.as<ClutterFilterParams>();
        if (m_values.method == Clutter::Polynomial)
            m_matrix.set(exec,
                         flow::withoutPolynomials(m_frames, static_cast<int>(m_values.order)));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const flow::MixedFrames ensemble{input.as<Complex>(), output.as<Complex>(), m_frames,
                                         input.spec->count() / m_frames};
        const Complex* matrix = m_matrix.data();
        if (m_values.method == Clutter::SingularValues) {
            const auto count = static_cast<std::size_t>(m_frames);
            auto* kept = static_cast<Complex*>(workspace.data);
            auto* scratch =
                static_cast<std::byte*>(workspace.data) + aligned(count * count * sizeof(Complex));
            flow::keepSubspace(exec, kClutterFilterId, ensemble, static_cast<int>(m_values.first),
                               static_cast<int>(m_values.last), scratch, kept);
            matrix = kept;
        }
        flow::mixFrames(exec, kClutterFilterId, ensemble, matrix);
    }

private:
    int m_frames = 1;
    ClutterFilterParams m_values;
    ComputeTable<Complex> m_matrix;
};

} // namespace

namespace stages {
const StageType& clutter_filter() {
    static const StageType kType{
        .id = kClutterFilterId,
        .label = "Clutter filter",
        .help = "Removes what hardly changes over the frames of an ensemble, such as tissue.",
        .table =
            ParamTable::of<ClutterFilterParams>()
                .choice(&ClutterFilterParams::method,
                        {{"polynomial", "Polynomial"}, {"svd", "Singular values"}},
                        {.key = "method",
                         .label = "Method",
                         .kind = ParamKind::Structural,
                         .help = "Polynomial: subtracts a polynomial over time from each pixel. "
                                 "Singular values: leaves out the parts that the whole image has "
                                 "in common, strongest first; better where tissue moves."})
                .integer(&ClutterFilterParams::order,
                         {.key = "order",
                          .label = "Order",
                          .min = 0,
                          .max = 4,
                          .help = "Degree of the polynomial. 0 removes the mean; higher orders "
                                  "remove slow motion of tissue, and slow flow.",
                          .onlyWith = {"method", "polynomial"}})
                .integer(&ClutterFilterParams::first,
                         {.key = "first",
                          .label = "First kept",
                          .min = 1,
                          .max = kMostEnsembleFrames,
                          .help = "The strongest singular value that is kept, counted from 1. "
                                  "Those before are tissue.",
                          .onlyWith = {"method", "svd"}})
                .integer(&ClutterFilterParams::last,
                         {.key = "last",
                          .label = "Last kept",
                          .min = 1,
                          .max = kMostEnsembleFrames,
                          .help = "The weakest singular value that is kept. Those behind are "
                                  "noise. Numbers beyond the frames of an ensemble count as the "
                                  "last one.",
                          .onlyWith = {"method", "svd"}})
                .build(),
        .inputs = {{.dtypes = {DType::ComplexF32},
                    .axes = {AxisName::Frame, AxisName::Depth, AxisName::Lateral}}},
        .tolerance = {1e-3, 0.0},
        .code = codeOf<ClutterFilter>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
