// SPDX-License-Identifier: GPL-3.0-or-later
// One budget for what opening a file may cost, counted in one place.
#pragma once

#include "gpu/core/nesting.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace echolux {

/// What one opening may cost. Files are honest where what they hold grows with their bytes on disk,
/// so larger files may have more.
struct OpeningLimits {
    int depth = kMostDepth;              ///< levels within each other
    std::uint64_t objects = 100'000;     ///< visited: groups, values, items, pages, members
    std::uint64_t bytesPerObject = 1024; ///< on disk; files of more KiB than `objects` have more
    std::uint64_t bytes = 160ULL << 20U; ///< decoded and kept at once, from however small a file
    std::uint64_t ratio = 32;            ///< of bytes kept at once to bytes on disk, beyond that
    double seconds = 5.0;                ///< of this thread's processor time
    double bytesPerSecond = 50e6;        ///< on disk or kept beyond `bytes`; they give 1 s more
};

/// An opening in progress on this thread, as long as it lives. What readers draw counts against it;
/// one within another draws on the outer one. Frames that are read later are no part of it.
///
/// Each draw throws Error, which names the file and what was exceeded. Without an opening in
/// progress nothing is counted.
class Opening {
public:
    explicit Opening(std::filesystem::path path, const OpeningLimits& limits = {});
    Opening(const Opening&) = delete;
    Opening& operator=(const Opening&) = delete;
    ~Opening();

    /// So many objects more were met. Also looks at the time.
    static void visit(std::uint64_t objects = 1);
    /// `what` takes `bytes` of memory at once; call it before they are allocated. Not added up: who
    /// keeps several things gives their sum.
    static void keep(const std::string& what, std::uint64_t bytes);
    static void checkTime();
    /// One more file belongs to the recording; each counts once. [bytes]
    static void addFile(std::uint64_t device, std::uint64_t inode, std::uint64_t bytes);

    /// "its variables: 300 MB", where more was kept at once than any file may; else nothing.
    static std::optional<std::string> largestKept();

    /// One level deeper, as long as it lives. `object` names what was entered: it must not lie
    /// within itself.
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
    std::unique_ptr<Budget> m_budget; ///< null: draws on the outer one
};

} // namespace echolux
