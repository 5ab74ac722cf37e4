// SPDX-License-Identifier: GPL-3.0-or-later
// Frames as textures: texture units interpolate linearly while they read. CUDA only.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace echolux::das {

/// Sizes of the lines of a frame.
struct TextureLines {
    bool complex = false;
    std::int64_t lines = 0;
    std::int64_t samples = 0;

    std::size_t pitch() const; ///< bytes from one line to the next
    std::size_t bytes() const; ///< size of the copy that a texture reads, including room for
                               ///< alignment
};

/// Textures over copies of frames in the workspaces of the frames in flight. Each texture is made
/// at the first use of its workspace.
class LineTextures {
public:
    LineTextures() = default;
    ~LineTextures();
    LineTextures(const LineTextures&) = delete;
    LineTextures& operator=(const LineTextures&) = delete;

    /// Prepares for frames of another shape. No frame may be in flight.
    void reset(const TextureLines& shape);
    /// Enqueues the copy of a frame into `workspace`, which has shape.bytes() bytes, and returns
    /// its texture.
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
