// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs listed bubbles with true ones.
#include "app/bench/bubble_scores.hpp"

#include "gpu/flow/assignment.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace echolux {
namespace {

double square(double value) { return value * value; }

struct PairCosts {
    std::span<const BubbleState> listed;
    std::span<const BubbleState> truth;
    float none_;

    float link(int row, int column) const {
        const BubbleState& a = listed[static_cast<std::size_t>(row)];
        const BubbleState& b = truth[static_cast<std::size_t>(column)];
        const auto cost =
            static_cast<float>(square(a.depth - b.depth) + square(a.lateral - b.lateral));
        return cost <= none_ ? cost : std::numeric_limits<float>::infinity();
    }
    float none(int) const { return none_; }
};

} // namespace

void BubbleScores::add(std::span<const BubbleState> listed, std::span<const BubbleState> truth,
                       double withinM) {
    const auto rows = static_cast<int>(listed.size());
    const auto columns = static_cast<int>(truth.size());
    std::vector<float> memory(static_cast<std::size_t>(flow::AssignmentRoom::words(rows, columns)));
    const auto room = flow::AssignmentRoom::in(memory.data(), rows, columns);
    const PairCosts costs{listed, truth, static_cast<float>(withinM * withinM)};
    flow::Assignment<PairCosts>{costs, room, rows, columns}(OneThread{});
    m_listed += rows;
    m_true += columns;
    for (int row = 0; row < rows; ++row) {
        if (room.columnOf[row] < 0) continue;
        const BubbleState& a = listed[static_cast<std::size_t>(row)];
        const BubbleState& b = truth[static_cast<std::size_t>(room.columnOf[row])];
        m_paired += 1.0;
        m_axialSquares += square(a.depth - b.depth);
        m_lateralSquares += square(a.lateral - b.lateral);
        m_speedSquares +=
            square(a.depthSpeed - b.depthSpeed) + square(a.lateralSpeed - b.lateralSpeed);
    }
}

double BubbleScores::axialRmseM() const { return std::sqrt(m_axialSquares / m_paired); }
double BubbleScores::lateralRmseM() const { return std::sqrt(m_lateralSquares / m_paired); }
double BubbleScores::speedRmseMps() const { return std::sqrt(m_speedSquares / m_paired); }

} // namespace echolux
