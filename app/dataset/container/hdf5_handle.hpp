// SPDX-License-Identifier: GPL-3.0-or-later
// Owned HDF5 identifiers.
#pragma once

#include <hdf5.h>

#include <utility>

namespace echolux {

/// Owns any HDF5 identifier.
class Hdf5Handle {
public:
    Hdf5Handle() = default;
    explicit Hdf5Handle(hid_t id) : m_id(id) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept : m_id(std::exchange(other.m_id, -1)) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        std::swap(m_id, other.m_id);
        return *this;
    }
    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;
    ~Hdf5Handle() { close(); }

    hid_t get() const { return m_id; }
    explicit operator bool() const { return m_id >= 0; }
    /// Returns false where the library could not close it.
    bool close() {
        return m_id < 0 || H5Iis_valid(m_id) <= 0 || H5Idec_ref(std::exchange(m_id, -1)) >= 0;
    }

private:
    hid_t m_id = -1;
};

/// Stops HDF5 from printing its error stack on this thread. It is cheap; call it before calls of
/// HDF5.
inline void quietHdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

} // namespace echolux
