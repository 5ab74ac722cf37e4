// SPDX-License-Identifier: GPL-3.0-or-later
// The budget of memory, objects and time for opening a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace echolux {

/// Most levels of nesting that a file may have: groups, cells, sequences, tables, lists.
inline constexpr int kMostDepth = 64;

/// Limits for one opening. The content of an honest file is in proportion to its bytes on disk, so
/// larger files have larger limits.
struct OpeningLimits {
    int depth = kMostDepth;              ///< levels of nesting
    std::uint64_t objects = 100'000;     ///< visited objects: groups, values, items, pages, members
    std::uint64_t bytesPerObject = 1024; ///< bytes on disk per further object: a file of more KiB
                                         ///< than `objects` may have more objects
    std::uint64_t bytes = 160ULL << 20U; ///< limit of the bytes that are decoded and kept at once,
                                         ///< for small files
    std::uint64_t ratio = 32;            ///< the limit of large files, where it exceeds `bytes`:
                                         ///< `ratio` times the bytes on disk
    double seconds = 5.0;                ///< processor time of this thread
    double bytesPerSecond = 50e6;        ///< bytes on disk, plus bytes kept beyond `bytes`, that
                                         ///< allow one more second
};

/// While an object lives, an opening is in progress on this thread, and what readers use counts
/// against its budget. An opening within another one uses the budget of the outer one. Reading
/// frames later does not count.
///
/// Each call below throws Error where a limit is exceeded; the error names the file and the limit.
/// Without an opening in progress nothing is counted.
class Opening {
public:
    explicit Opening(std::filesystem::path path, const OpeningLimits& limits = {});
    Opening(const Opening&) = delete;
    Opening& operator=(const Opening&) = delete;
    ~Opening();

    /// Counts further objects. Also checks the time.
    static void visit(std::uint64_t objects = 1);
    /// Counts `bytes` of memory for `what`. Call it before the allocation. Calls are not added up:
    /// for several things kept at once, pass their sum.
    static void keep(const std::string& what, std::uint64_t bytes);
    static void checkTime();
    /// A further file belongs to the recording, with its size in bytes. Each file counts once.
    static void addFile(std::uint64_t device, std::uint64_t inode, std::uint64_t bytes);

    /// "its variables: 300 MB", where more was kept at once than a file of any size may keep; else
    /// empty.
    static std::optional<std::string> largestKept();

    /// While it lives, the nesting is one level deeper. `object` identifies what was entered; it
    /// must not be nested in itself.
    class Level {
    public:
        Level();
        explicit Level(std::uint64_t object);
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;
        ~Level();
    };

private:
    struct Budget;
    std::unique_ptr<Budget> m_budget; ///< null: uses the budget of the outer opening
};

} // namespace echolux
