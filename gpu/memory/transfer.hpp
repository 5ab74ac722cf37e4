// SPDX-License-Identifier: GPL-3.0-or-later
// The only copier between memories: enqueued on the exec's stream, counted by direction.
#pragma once

#include "gpu/memory/buffer.hpp"

namespace echolux {

/// `host` must stay valid until the stream has run; pinned memory makes it overlap. On the CPU:
/// memcpy.
void upload(const Exec& exec, void* compute, const void* host, std::size_t bytes);
void download(const Exec& exec, void* host, const void* compute, std::size_t bytes);
/// One line of an image, for a plot: `count` pieces of `pieceBytes` that lie `strideBytes` apart,
/// packed on the host. Counted apart from images.
void downloadLine(const Exec& exec, void* host, const void* compute, std::size_t pieceBytes,
                  std::size_t count, std::size_t strideBytes);
/// Counts an image that came to the host by another way than download().
void countImageToHost();
void countUpload(std::size_t bytes); ///< the same of upload()
void copyWithin(const Exec& exec, void* to, const void* from, std::size_t bytes);
void fillBytes(const Exec& exec, void* to, int byte, std::size_t bytes);

} // namespace echolux
