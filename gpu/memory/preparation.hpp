// SPDX-License-Identifier: GPL-3.0-or-later
// Separates allocations that happen once from those that frames cause.
#pragma once

namespace echolux {

/// While an object lives, MemoryCounters::allocations does not count what its thread allocates. For
/// memory that is allocated once while frames run and serves all later frames.
class Preparation {
public:
    Preparation();
    ~Preparation();
    Preparation(const Preparation&) = delete;
    Preparation& operator=(const Preparation&) = delete;
};

} // namespace echolux
