// SPDX-License-Identifier: GPL-3.0-or-later
// The optimal assignment of rows to columns, by a team of threads: each row takes one column or
// none, each column serves one row at most, and the sum of all costs is least. Include it only from
// .cu files, or where teams of the host are enough.
//
// Shortest augmenting paths with row and column prices: R. Jonker, A. Volgenant, A shortest
// augmenting path algorithm for dense and sparse linear assignment problems, Computing 38, 1987; in
// the form of D. F. Crouse, On implementing 2D rectangular assignment algorithms, IEEE Trans.
// Aerosp. Electron. Syst. 52(4), 2016. It begins with the cheapest choice of each row. Rows whose
// choice an earlier row has made are added one by one; the threads look at all columns at once.
//
// NOTE: it adds, subtracts and compares, and of equal sums the first counts. So all teams find the
// same assignment wherever the costs are the same.
#pragma once

#include "gpu/exec/team.hpp"

#include <cmath>

namespace echolux::flow {

/// Compute memory for an assignment of `rows` to `columns`.
struct AssignmentRoom {
    static constexpr int kParts = 32; ///< of a search for the least

    int* columnOf;      ///< [rows], the result: -1 where a row takes no column
    int* rowOf;         ///< [columns], the result: -1 where a column serves no row
    float* rowPrice;    ///< [rows]
    float* price;       ///< [columns]
    float* path;        ///< [columns], length of the shortest path that leads there
    int* from;          ///< [columns], the row before it on that path
    int* closed;        ///< [columns], 1: no shorter path can come
    int* nearest;       ///< [kParts], columns
    float* nearestPath; ///< [kParts]

    /// Words of four bytes.
    static constexpr std::int64_t words(std::int64_t rows, std::int64_t columns) {
        return 2 * rows + 5 * columns + 2 * kParts;
    }
    ECHOLUX_HD static AssignmentRoom in(void* memory, std::int64_t rows, std::int64_t columns) {
        auto* whole = static_cast<int*>(memory);
        auto* real = static_cast<float*>(memory);
        const std::int64_t own = 2 * rows; // behind what is per row
        const std::int64_t parts = own + 5 * columns;
        return {whole,
                whole + own,
                real + rows,
                real + own + columns,
                real + own + 2 * columns,
                whole + own + 3 * columns,
                whole + own + 4 * columns,
                whole + parts,
                real + parts + kParts};
    }
};

/// `Costs` has
///   float link(int row, int column)   >= 0; infinite where it is forbidden,
///   float none(int row)               >= 0; what a row costs that takes no column. Infinite: it
///                                     takes none only where it can have none.
/// Neither may be NaN.
template <class Costs> struct Assignment {
    Costs costs;
    AssignmentRoom room;
    int rows;
    int columns;

    template <class Team> ECHOLUX_HD void operator()(const Team& team) const {
        const Assignment& self = *this;
        team.each(columns, [=](int column) {
            self.room.rowOf[column] = -1;
            self.room.price[column] = 0.0F;
        });
        team.each(rows, [=](int row) { self.choose(row); });
        team.each(columns, [=](int column) { self.giveToTheFirst(column); });
        team.each(rows, [=](int row) { self.yield(row); });
        for (int row = 0; row < rows; ++row)
            if (room.columnOf[row] == kWaits) add(team, row);
    }

private:
    static constexpr int kWaits = -2;

    /// The end of a shortest path: a free column, or a row that gives up its own.
    struct End {
        int column;
        int row;
        float length;
    };

    ECHOLUX_HD void choose(int row) const {
        float least = costs.none(row);
        int chosen = -1;
        for (int column = 0; column < columns; ++column) {
            const float cost = costs.link(row, column);
            if (!(cost < least)) continue;
            least = cost;
            chosen = column;
        }
        room.columnOf[row] = chosen;
        room.rowPrice[row] = least;
    }
    ECHOLUX_HD void giveToTheFirst(int column) const {
        for (int row = 0; row < rows && room.rowOf[column] < 0; ++row)
            if (room.columnOf[row] == column) room.rowOf[column] = row;
    }
    ECHOLUX_HD void yield(int row) const {
        const int column = room.columnOf[row];
        if (column >= 0 && room.rowOf[column] != row) room.columnOf[row] = kWaits;
    }

    /// Finds a place for one more row, at the least cost for all.
    template <class Team> ECHOLUX_HD void add(const Team& team, int row) const {
        const Assignment& self = *this;
        team.each(columns, [=](int column) {
            self.room.path[column] = INFINITY;
            self.room.closed[column] = 0;
        });
        const End end = shortestPath(team, row);
        if (!(end.length < INFINITY)) { // nothing is free, and nothing is allowed
            team.each(1, [=](int) { self.room.columnOf[row] = -1; });
            return;
        }
        team.each(columns, [=](int column) {
            if (self.room.closed[column] == 0) return;
            const float saved = end.length - self.room.path[column];
            self.room.price[column] -= saved;
            const int served = self.room.rowOf[column];
            if (served >= 0) self.room.rowPrice[served] += saved;
        });
        team.each(1, [=](int) { self.turn(row, end); });
    }

    template <class Team> ECHOLUX_HD End shortestPath(const Team& team, int first) const {
        const Assignment& self = *this;
        End end{-1, first, costs.none(first) - room.rowPrice[first]};
        int row = first;
        End reached{-1, -1, 0.0F};
        for (;;) {
            const float base = reached.length - room.rowPrice[row];
            team.each(columns, [=](int column) { self.look(row, column, reached.column, base); });
            reached = nearest(team);
            if (!(reached.length < end.length)) return end;
            row = room.rowOf[reached.column];
            if (row < 0) return reached;
            const float without = reached.length + (costs.none(row) - room.rowPrice[row]);
            if (without < end.length) end = {-1, row, without};
        }
    }
    ECHOLUX_HD void look(int row, int column, int reached, float base) const {
        if (column == reached) room.closed[column] = 1;
        if (room.closed[column] != 0) return;
        const float length = base + (costs.link(row, column) - room.price[column]);
        if (!(length < room.path[column])) return;
        room.path[column] = length;
        room.from[column] = row;
    }
    /// The open column that the shortest path leads to; of an infinite length where none leads to
    /// any.
    template <class Team> ECHOLUX_HD End nearest(const Team& team) const {
        const Assignment& self = *this;
        constexpr int kParts = AssignmentRoom::kParts;
        team.each(kParts, [=](int part) {
            End best{-1, -1, INFINITY};
            for (int column = part; column < self.columns; column += kParts)
                if (self.room.closed[column] == 0 && self.room.path[column] < best.length)
                    best = {column, -1, self.room.path[column]};
            self.room.nearest[part] = best.column;
            self.room.nearestPath[part] = best.length;
        });
        End best{-1, -1, INFINITY};
        for (int part = 0; part < kParts; ++part) {
            const End other{room.nearest[part], -1, room.nearestPath[part]};
            const bool isFirst = other.length == best.length && other.column < best.column;
            if (other.length < best.length || isFirst) best = other;
        }
        return best;
    }
    /// Every row of the path takes the column that leads on. Called by one thread.
    ECHOLUX_HD void turn(int first, const End& end) const {
        room.rowPrice[first] += end.length;
        int column = end.column;
        if (end.row >= 0) { // it gives up its column, or never had one
            column = end.row == first ? -1 : room.columnOf[end.row];
            room.columnOf[end.row] = -1;
        }
        while (column >= 0) {
            const int row = room.from[column];
            const int next = row == first ? -1 : room.columnOf[row];
            room.rowOf[column] = row;
            room.columnOf[row] = column;
            column = next;
        }
    }
};

} // namespace echolux::flow
