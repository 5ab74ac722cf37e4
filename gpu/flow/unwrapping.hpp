// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the stage `unwrap`, where the formulas stand: a weighted least-squares problem on a grid
// of cells, and its multigrid solver. All numbers are whole, so that every backend finds the same.
// Include it only from .cu files.
#pragma once

#include "gpu/core/portable.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::flow {

/// Cells of one level of the solver, row after row. A coarser level has half as many rows and
/// columns, rounded up; its cells are 2 x 2 finer ones.
/// For each cell: diagonal k - sum over neighbours of edge k[neighbour] = rhs.
struct UnwrapLevel {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int32_t* right = nullptr;    ///< weight of the edge to the next column
    std::int32_t* down = nullptr;     ///< weight of the edge to the next row
    std::int32_t* diagonal = nullptr; ///< edges and the pull to 0, added up; 0: no cell
    std::int64_t* rhs = nullptr;
    std::int32_t* turns = nullptr; ///< k, in parts of kTurn

    static constexpr std::int32_t kTurn = 4096; ///< one period

    ECHOLUX_HD std::int64_t cells() const { return rows * columns; }

    /// Sum of the edges of a cell, each times what `of` gives for its neighbour.
    template <class Of>
    ECHOLUX_HD std::int64_t overEdges(std::int64_t row, std::int64_t column, const Of& of) const {
        const std::int64_t i = row * columns + column;
        std::int64_t sum = 0;
        if (column + 1 < columns) sum += right[i] * of(i + 1);
        if (column > 0) sum += right[i - 1] * of(i - 1);
        if (row + 1 < rows) sum += down[i] * of(i + columns);
        if (row > 0) sum += down[i - columns] * of(i - columns);
        return sum;
    }
};

/// Edges and jumps of the finest level, from velocities that are 0 or no number where nothing
/// flows.
struct UnwrapEdges {
    static constexpr std::int32_t kEdge = 64; ///< weight; the pull to 0 has weight 1
    static constexpr float kMostJump = 8.0F;  ///< wrapped velocities differ by one period at most
    static constexpr int kReach = 2;          ///< of the box in which most must be at rest

    const float* velocity;
    float perPeriod;
    UnwrapLevel level;

    ECHOLUX_HD bool isInside(std::int64_t row, std::int64_t column) const {
        return row >= 0 && row < level.rows && column >= 0 && column < level.columns;
    }
    ECHOLUX_HD float at(std::int64_t row, std::int64_t column) const {
        return velocity[row * level.columns + column];
    }
    ECHOLUX_HD bool flows(std::int64_t row, std::int64_t column) const {
        const float value = at(row, column);
        return value != 0.0F && fabsf(value) <= 3.402823466e38F; // no NaN, no infinity
    }
    /// A pixel of what surrounds the flow, not a hole in the flow.
    ECHOLUX_HD bool isAtRest(std::int64_t row, std::int64_t column) const {
        if (!isInside(row, column) || flows(row, column)) return false;
        int resting = 0;
        int all = 0;
        for (std::int64_t r = row - kReach; r <= row + kReach; ++r) {
            for (std::int64_t c = column - kReach; c <= column + kReach; ++c) {
                if (!isInside(r, c)) continue;
                ++all;
                if (!flows(r, c)) ++resting;
            }
        }
        return 2 * resting > all;
    }
    ECHOLUX_HD bool isEdge(std::int64_t row, std::int64_t column) const {
        return isInside(row, column) && flows(row, column);
    }
    /// Whole periods by which `to` must rise over `from`, for a difference of half a period at
    /// most.
    ECHOLUX_HD std::int64_t jump(float from, float to) const {
        const float periods = fminf(fmaxf((to - from) * perPeriod, -kMostJump), kMostJump);
        return -static_cast<std::int64_t>(rintf(periods));
    }

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t row = i / level.columns;
        const std::int64_t column = i - row * level.columns;
        level.turns[i] = 0;
        std::int32_t edges = 0;
        std::int32_t pull = 0;
        std::int64_t jumps = 0;
        std::int32_t ahead[2] = {0, 0};
        if (flows(row, column)) {
            const float own = velocity[i];
            for (int side = 0; side < 4; ++side) {
                const std::int64_t r = row + (side == 1 ? 1 : side == 3 ? -1 : 0);
                const std::int64_t c = column + (side == 0 ? 1 : side == 2 ? -1 : 0);
                if (isEdge(r, c)) {
                    edges += kEdge;
                    jumps -= jump(own, at(r, c));
                    if (side < 2) ahead[side] = kEdge;
                } else if (isAtRest(r, c)) {
                    ++pull;
                }
            }
        }
        level.right[i] = ahead[0];
        level.down[i] = ahead[1];
        level.diagonal[i] = edges + pull;
        level.rhs[i] = jumps * kEdge * UnwrapLevel::kTurn;
    }
};

/// Makes the weights of `coarse`. Edges are halved, since the middles of its cells are twice as far
/// apart; pulls are added up.
struct UnwrapCoarse {
    UnwrapLevel fine;
    UnwrapLevel coarse;

    ECHOLUX_HD std::int32_t rightOf(std::int64_t row, std::int64_t column) const {
        const std::int64_t c = 2 * column + 1;
        if (column < 0 || c + 1 >= fine.columns) return 0;
        const std::int64_t i = 2 * row * fine.columns + c;
        const std::int32_t below = 2 * row + 1 < fine.rows ? fine.right[i + fine.columns] : 0;
        return (fine.right[i] + below + 1) / 2;
    }
    ECHOLUX_HD std::int32_t downOf(std::int64_t row, std::int64_t column) const {
        const std::int64_t r = 2 * row + 1;
        if (row < 0 || r + 1 >= fine.rows) return 0;
        const std::int64_t i = r * fine.columns + 2 * column;
        const std::int32_t beside = 2 * column + 1 < fine.columns ? fine.down[i + 1] : 0;
        return (fine.down[i] + beside + 1) / 2;
    }
    ECHOLUX_HD std::int32_t pullOf(std::int64_t row, std::int64_t column) const {
        if (row >= fine.rows || column >= fine.columns) return 0;
        const std::int64_t i = row * fine.columns + column;
        const std::int64_t edges = fine.overEdges(row, column, [](std::int64_t) { return 1; });
        return fine.diagonal[i] - static_cast<std::int32_t>(edges);
    }

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t row = i / coarse.columns;
        const std::int64_t column = i - row * coarse.columns;
        std::int32_t pull = 0;
        for (int part = 0; part < 4; ++part)
            pull += pullOf(2 * row + part / 2, 2 * column + part % 2);
        coarse.right[i] = rightOf(row, column);
        coarse.down[i] = downOf(row, column);
        coarse.diagonal[i] = coarse.right[i] + rightOf(row, column - 1) + coarse.down[i] +
                             downOf(row - 1, column) + pull;
    }
};

/// Solves each cell of one colour of the chequerboard for its neighbours' values (Gauss-Seidel).
struct UnwrapRelax {
    UnwrapLevel level;
    int colour;

    ECHOLUX_HD std::int64_t count() const { return level.rows * halfRow(); }
    ECHOLUX_HD std::int64_t halfRow() const { return (level.columns + 1) / 2; }
    ECHOLUX_HD void operator()(std::int64_t n) const {
        const std::int64_t row = n / halfRow();
        const std::int64_t column = 2 * (n - row * halfRow()) + ((row + colour) & 1);
        if (column >= level.columns) return;
        const std::int64_t i = row * level.columns + column;
        const std::int32_t diagonal = level.diagonal[i];
        if (diagonal == 0) return;
        const std::int32_t* turns = level.turns;
        const std::int64_t sum =
            level.rhs[i] + level.overEdges(row, column, [turns](std::int64_t k) {
                return static_cast<std::int64_t>(turns[k]);
            });
        level.turns[i] = static_cast<std::int32_t>(sum / diagonal);
    }
};

/// What the finer level lacks becomes the right-hand side of the coarser one, which starts at 0.
struct UnwrapRestrict {
    UnwrapLevel fine;
    UnwrapLevel coarse;

    ECHOLUX_HD std::int64_t lack(std::int64_t row, std::int64_t column) const {
        if (row >= fine.rows || column >= fine.columns) return 0;
        const std::int64_t i = row * fine.columns + column;
        const std::int64_t diagonal = fine.diagonal[i];
        if (diagonal == 0) return 0;
        const std::int32_t* turns = fine.turns;
        return fine.rhs[i] - diagonal * turns[i] +
               fine.overEdges(row, column, [turns](std::int64_t k) {
                   return static_cast<std::int64_t>(turns[k]);
               });
    }
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t row = i / coarse.columns;
        const std::int64_t column = i - row * coarse.columns;
        std::int64_t sum = 0;
        for (int part = 0; part < 4; ++part) sum += lack(2 * row + part / 2, 2 * column + part % 2);
        coarse.rhs[i] = sum;
        coarse.turns[i] = 0;
    }
};

/// Adds each coarse cell's value to its finer cells.
struct UnwrapCorrect {
    UnwrapLevel fine;
    UnwrapLevel coarse;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        if (fine.diagonal[i] == 0) return;
        const std::int64_t row = i / fine.columns;
        const std::int64_t column = i - row * fine.columns;
        fine.turns[i] += coarse.turns[row / 2 * coarse.columns + column / 2];
    }
};

struct UnwrapResult {
    const float* velocity;
    const std::int32_t* turns;
    float* out;
    float period;
    std::int32_t most;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        std::int32_t whole = (turns[i] + UnwrapLevel::kTurn / 2) >> 12; // of kTurn, rounded
        whole = whole < -most ? -most : whole > most ? most : whole;
        out[i] = whole == 0 ? velocity[i] : velocity[i] + static_cast<float>(whole) * period;
    }
    static_assert(UnwrapLevel::kTurn == 1 << 12);
};

} // namespace echolux::flow
