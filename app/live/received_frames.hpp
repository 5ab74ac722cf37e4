// SPDX-License-Identifier: GPL-3.0-or-later
// Turns arrays that come over a network into frames of one layout.
#pragma once

#include "app/dataset/formats/pictures/picture_file.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// What a sender says about an array.
struct ReceivedArray {
    ElementType type;
    std::vector<PictureAxis> axes;          ///< the fastest first
    std::optional<RecordedForm> form;       ///< of images
    std::span<const std::byte> samples;     ///< dense, in the byte order of `type`
    std::span<const std::byte> description; ///< a sidecar, or an Echolux recording; empty: none
};

class ReceivedFrames {
public:
    /// From the first array. `description` stands for that of the sender unless it is empty.
    /// `address`: for errors. Throws Error where the array makes no frame.
    ReceivedFrames(const std::string& address, const ReceivedArray& first, std::string description);

    const RecordingInfo& info() const { return m_info; }
    /// False: the array has another layout, other places, or another description.
    bool fits(const ReceivedArray& array) const;
    /// Precondition: fits(). `out` has the bytes of a frame.
    void convert(const ReceivedArray& array, std::span<std::byte> out) const;

private:
    PictureFile pictureOf(const ReceivedArray& array) const;
    bool isDescribed() const { return !m_description.empty(); }

    RecordingInfo m_info;
    ElementType m_type;
    std::vector<PictureAxis> m_axes;
    std::optional<RecordedForm> m_form;
    std::string m_description; ///< bytes; empty: the array is an image
    bool m_isOwn;              ///< the description is not that of the sender
};

} // namespace echolux
