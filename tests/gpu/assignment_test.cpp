// SPDX-License-Identifier: GPL-3.0-or-later
// The optimal assignment against scipy and against all possible ones.
#include "gpu/flow/assignment.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace echolux::test {
namespace {

constexpr float kForbidden = std::numeric_limits<float>::infinity();

struct Problem {
    int rows = 0;
    int columns = 0;
    std::vector<float> cost; ///< [rows][columns]
    std::vector<float> none; ///< [rows]

    float link(int row, int column) const {
        return cost[static_cast<std::size_t>(row * columns + column)];
    }
};

struct TableCosts {
    const Problem* problem;
    float link(int row, int column) const { return problem->link(row, column); }
    float none(int row) const { return problem->none[static_cast<std::size_t>(row)]; }
};

template <class Team> std::vector<int> assignedBy(const Problem& problem, const Team& team) {
    std::vector<float> memory(
        static_cast<std::size_t>(flow::AssignmentRoom::words(problem.rows, problem.columns)), NAN);
    const auto room = flow::AssignmentRoom::in(memory.data(), problem.rows, problem.columns);
    flow::Assignment<TableCosts>{{&problem}, room, problem.rows, problem.columns}(team);
    for (int column = 0; column < problem.columns; ++column) {
        const int row = room.rowOf[column];
        if (row >= 0) {
            EXPECT_EQ(room.columnOf[row], column) << "both sides agree";
        }
    }
    return {room.columnOf, room.columnOf + problem.rows};
}

/// Each column once at most, and nothing that is forbidden.
void expectAllowed(const Problem& problem, std::vector<int> columns) {
    for (int row = 0; row < problem.rows; ++row) {
        const int column = columns[static_cast<std::size_t>(row)];
        ASSERT_GE(column, -1);
        ASSERT_LT(column, problem.columns);
        if (column >= 0) {
            EXPECT_LT(problem.link(row, column), kForbidden);
        }
    }
    std::erase(columns, -1);
    std::ranges::sort(columns);
    EXPECT_EQ(std::ranges::adjacent_find(columns), columns.end());
}

double sumOf(const Problem& problem, const std::vector<int>& columns) {
    double sum = 0.0;
    for (int row = 0; row < problem.rows; ++row) {
        const int column = columns[static_cast<std::size_t>(row)];
        sum += double{column < 0 ? problem.none[static_cast<std::size_t>(row)]
                                 : problem.link(row, column)};
    }
    return sum;
}

TEST(Assignment, IsWhatScipyFinds) {
    const Vectors vectors("gpu/vectors/tracks.txt");
    const auto count = static_cast<int>(vectors["problems"][0]);
    ASSERT_GT(count, 5);
    for (int i = 0; i < count; ++i) {
        const std::string number = "_" + std::to_string(i);
        SCOPED_TRACE(number);
        const std::vector<float>& shape = vectors["shape" + number];
        const Problem problem{static_cast<int>(shape[0]), static_cast<int>(shape[1]),
                              vectors["cost" + number], vectors["none" + number]};
        const std::vector<int> found = assignedBy(problem, OneThread{});
        const std::vector<float>& expected = vectors["columns" + number];
        EXPECT_EQ(found, std::vector<int>(expected.begin(), expected.end()));
        EXPECT_EQ(assignedBy(problem, HostThreads{}), found) << "by all threads";
    }
}

/// The least sum of the rows from `row` on.
double leastSum(const Problem& problem, int row, std::vector<bool>& taken) {
    if (row == problem.rows) return 0.0;
    double least =
        double{problem.none[static_cast<std::size_t>(row)]} + leastSum(problem, row + 1, taken);
    for (int column = 0; column < problem.columns; ++column) {
        const auto at = static_cast<std::size_t>(column);
        if (taken[at]) continue;
        taken[at] = true;
        least =
            std::min(least, double{problem.link(row, column)} + leastSum(problem, row + 1, taken));
        taken[at] = false;
    }
    return least;
}

TEST(Assignment, HasTheLeastSumOfAllThatThereAre) {
    std::mt19937 random(28);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    std::uniform_int_distribution<int> size(0, 6);
    for (int round = 0; round < 500; ++round) {
        Problem problem{size(random), size(random), {}, {}};
        // Whole numbers in every second round, so that many sums are equal.
        const auto cost = [&] {
            const float any = uniform(random);
            return round % 2 == 0 ? any : std::floor(4.0F * any);
        };
        for (int i = 0; i < problem.rows * problem.columns; ++i)
            problem.cost.push_back(uniform(random) < 0.3F ? kForbidden : cost());
        for (int i = 0; i < problem.rows; ++i) problem.none.push_back(cost());
        const std::vector<int> found = assignedBy(problem, OneThread{});
        expectAllowed(problem, found);
        std::vector<bool> taken(static_cast<std::size_t>(problem.columns));
        EXPECT_NEAR(sumOf(problem, found), leastSum(problem, 0, taken), 1e-5) << round;
    }
}

TEST(Assignment, IsTheSameByAllThreads) {
    std::mt19937 random(29);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    Problem problem{300, 1000, {}, std::vector<float>(300, 2.0F)}; // several parts of the host
    std::vector<float> offset(1000);
    for (float& each : offset) each = uniform(random); // all rows like the same columns
    for (int i = 0; i < 300 * 1000; ++i)
        problem.cost.push_back(0.1F * uniform(random) + offset[static_cast<std::size_t>(i % 1000)]);
    const std::vector<int> found = assignedBy(problem, OneThread{});
    expectAllowed(problem, found);
    EXPECT_EQ(assignedBy(problem, HostThreads{}), found);
}

TEST(Assignment, WithoutAnyAllowedColumnARowHasNone) {
    // Three rows that must have a column, where there are two.
    const Problem problem{4,
                          2,
                          {1.0F, kForbidden, 2.0F, kForbidden, 3.0F, 1.0F, kForbidden, kForbidden},
                          {kForbidden, kForbidden, kForbidden, kForbidden}};
    const std::vector<int> found = assignedBy(problem, OneThread{});
    expectAllowed(problem, found);
    EXPECT_EQ(found, (std::vector<int>{0, -1, 1, -1}));
    EXPECT_EQ(assignedBy(Problem{2, 0, {}, {1.0F, 1.0F}}, OneThread{}), (std::vector<int>{-1, -1}));
    EXPECT_TRUE(assignedBy(Problem{0, 3, {}, {}}, OneThread{}).empty());
}

} // namespace
} // namespace echolux::test
