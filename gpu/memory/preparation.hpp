// SPDX-License-Identifier: GPL-3.0-or-later
// Tells allocations that make something ready once from those that frames cause.
#pragma once

namespace echolux {

/// While one lives, MemoryCounters::allocations leaves out what its thread allocates: memory that
/// is made once, while frames run, and serves all later frames.
class Preparation {
public:
    Preparation();
    ~Preparation();
    Preparation(const Preparation&) = delete;
    Preparation& operator=(const Preparation&) = delete;
};

} // namespace echolux
