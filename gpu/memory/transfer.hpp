// SPDX-License-Identifier: GPL-3.0-or-later
// All copies between memories go through here. They are enqueued on the exec's stream and counted
// by direction.
#pragma once

#include "gpu/memory/buffer.hpp"

namespace echolux {

/// `host` must stay valid until the stream has run the copy. With pinned memory the copy overlaps
/// other work. On the CPU it is a memcpy. No bytes are no copy: either address may then be null.
void upload(const Exec& exec, void* compute, const void* host, std::size_t bytes);
void download(const Exec& exec, void* host, const void* compute, std::size_t bytes);
/// Copies one line of an image for a plot: `count` pieces of `pieceBytes`, `strideBytes` apart, are
/// packed on the host. Counted separately from images.
void downloadLine(const Exec& exec, void* host, const void* compute, std::size_t pieceBytes,
                  std::size_t count, std::size_t strideBytes);
/// Copies a raw frame that a simulator made. It is no image, and is not counted.
void downloadRaw(const Exec& exec, void* host, const void* compute, std::size_t bytes);
/// Counts an image that was copied to the host in another way than by download().
void countImageToHost();
void countUpload(std::size_t bytes); ///< the same for upload()
void copyWithin(const Exec& exec, void* to, const void* from, std::size_t bytes);
void fillBytes(const Exec& exec, void* to, int byte, std::size_t bytes);

} // namespace echolux
