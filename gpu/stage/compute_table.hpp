// SPDX-License-Identifier: GPL-3.0-or-later
// A table that update() computes on the host and kernels read in compute memory.
#pragma once

#include "gpu/memory/transfer.hpp"

#include <stdexcept>
#include <vector>

namespace echolux {

template <class T> class ComputeTable {
public:
    /// Called in prepare(): makes room for `most` values, at least for 1.
    void allocate(const Exec& exec, std::size_t most) {
        m_values.clear();
        m_compute = Buffer(computeMemory(exec.backend), (most > 0 ? most : 1) * sizeof(T));
    }
    /// Called in update() or prepare(). The values stay in this object until the stream has read
    /// them.
    void set(const Exec& exec, std::vector<T> values) {
        if (values.size() * sizeof(T) > m_compute.bytes())
            throw std::logic_error("ComputeTable: more values than were allocated");
        m_values = std::move(values);
        upload(exec, m_compute.data(), m_values.data(), m_values.size() * sizeof(T));
    }
    const T* data() const { return m_compute.as<T>(); }
    const std::vector<T>& host() const { return m_values; }

private:
    std::vector<T> m_values;
    Buffer m_compute;
};

} // namespace echolux
