// SPDX-License-Identifier: GPL-3.0-or-later
// What all functions of the C interface share: handles that are checked, exceptions that become
// codes and sentences, texts that outlive the call.
#pragma once

#include "app/library/echolux.h"
#include "gpu/core/frame_spec.hpp"

#include <exception>
#include <string>
#include <utility>

struct echolux_spec {
    echolux::FrameSpec spec;
    bool isOwned = false; ///< by the caller, who frees it
};

namespace echolux::library {

/// Thrown where a function is called wrongly.
struct Misuse {
    std::string sentence;
};

// Handles that exist, of each kind. A pointer that is none of them is never followed.
enum class Kind { Spec, Recording, Pipeline };
void addHandle(Kind kind, const void* handle);
bool removeHandle(Kind kind, const void* handle); ///< false: there was none
bool isHandle(Kind kind, const void* handle);

/// Throws Misuse where it is none.
template <class Handle> Handle& checked(Kind kind, Handle* handle, const char* name) {
    if (isHandle(kind, handle)) return *handle;
    throw Misuse{std::string(name) + (handle == nullptr
                                          ? " is NULL; give what the library returned."
                                          : " is no handle of this library, or was freed.")};
}

/// The value, or Misuse where a pointer is null.
template <class T> T* given(T* pointer, const char* name) {
    if (pointer != nullptr) return pointer;
    throw Misuse{std::string(name) + " is NULL; give a pointer."};
}

/// Keeps the sentence during the next 15 calls of this thread that fail.
void setLastError(std::string sentence);
/// Turns the exception that is being handled into a code, and keeps its sentence.
echolux_status statusOfException();

/// Runs the body of a function that returns a status.
template <class Body> int status(const Body& body) {
    try {
        body();
        return ECHOLUX_OK;
    } catch (...) {
        return statusOfException();
    }
}

/// Runs the body of a function that returns a value; `failed` is what it returns after an error.
template <class Value, class Body> Value value(Value failed, const Body& body) {
    try {
        return body();
    } catch (...) {
        statusOfException();
        return failed;
    }
}

/// Keeps a text for the next 15 calls of this thread that keep one.
const char* kept(std::string text);

} // namespace echolux::library
