// SPDX-License-Identifier: GPL-3.0-or-later
// Gives what a supplier lent back to it, whatever happens.
#pragma once

#include "gpu/exec/device_api.hpp"

namespace echolux {

/// Supplier has `release(device::Stream)`.
template <class Supplier> class Release {
public:
    explicit Release(Supplier& supplier) : m_supplier(supplier) {}
    ~Release() { m_supplier.release(m_stream); }
    Release(const Release&) = delete;
    Release& operator=(const Release&) = delete;
    /// The supplier waits for what `stream` holds now.
    void after(device::Stream stream) { m_stream = stream; }

private:
    Supplier& m_supplier;
    device::Stream m_stream = nullptr;
};

} // namespace echolux
