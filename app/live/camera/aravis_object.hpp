// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of what Aravis and GLib hand out.
#pragma once

#include "gpu/core/error.hpp"

#include <arv.h>

#include <memory>
#include <string>

namespace echolux {

struct Unref {
    void operator()(void* object) const { g_object_unref(object); }
};
template <class T> using AravisObject = std::unique_ptr<T, Unref>;

/// Receives the error of a call.
class AravisError {
public:
    AravisError() = default;
    AravisError(const AravisError&) = delete;
    AravisError& operator=(const AravisError&) = delete;
    ~AravisError() { g_clear_error(&m_error); }

    /// For the call. An earlier error is forgotten.
    operator GError**() {
        g_clear_error(&m_error);
        return &m_error;
    }
    bool isSet() const { return m_error != nullptr; }
    std::string text() const { return m_error != nullptr ? m_error->message : ""; }

private:
    GError* m_error = nullptr;
};

} // namespace echolux
