// SPDX-License-Identifier: GPL-3.0-or-later
// Frames as textures, whose units interpolate linearly while they read: on CUDA alone.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace echolux::das {

/// A frame's lines.
struct TextureLines {
    bool complex = false;
    std::int64_t lines = 0;
    std::int64_t samples = 0;

    std::size_t pitch() const; ///< bytes from line to line
    std::size_t bytes() const; ///< of the copy that a texture reads, wherever it begins
};

/// Textures over copies of frames in the workspaces of frames in flight, each made when its
/// workspace is first seen.
class LineTextures {
public:
    LineTextures() = default;
    ~LineTextures();
    LineTextures(const LineTextures&) = delete;
    LineTextures& operator=(const LineTextures&) = delete;

    /// For frames of another shape; nothing may be in flight.
    void reset(const TextureLines& shape);
    /// Enqueues the copy of a frame into `workspace`, of shape.bytes(), and answers its texture.
    std::uint64_t bind(const Exec& exec, const void* frame, void* workspace);

private:
    struct Bound {
        const void* workspace;
        std::uint64_t texture;
    };
    TextureLines m_shape;
    std::vector<Bound> m_bound;
};

} // namespace echolux::das
