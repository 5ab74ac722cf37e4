// SPDX-License-Identifier: GPL-3.0-or-later
// Images pass through the readers of image files. Described arrays are copied.
#include "app/live/received_frames.hpp"

#include "app/dataset/frames/fact_check.hpp"
#include "app/live/frame_description.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

std::string textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> inNativeOrder(const ReceivedArray& array) {
    std::vector<std::byte> samples(array.samples.begin(), array.samples.end());
    toNativeOrder(array.type, samples);
    return samples;
}

} // namespace

ReceivedFrames::ReceivedFrames(const std::string& address, const ReceivedArray& first,
                               std::string description)
    : m_type(first.type), m_axes(first.axes), m_form(first.form),
      m_description(description.empty() ? textOf(first.description) : std::move(description)),
      m_isOwn(textOf(first.description) != m_description) {
    m_info.path = address;
    if (isDescribed()) {
        const auto bytes = std::as_bytes(std::span(m_description));
        const std::vector<std::byte> samples = inNativeOrder(first);
        m_info = describedFrame(bytes, samples);
        m_info.path = address;
        if (m_info.frame.bytes() != samples.size())
            throw Error(fmt::format("An array has {} bytes, and its description says {}; correct "
                                    "the description.",
                                    samples.size(), m_info.frame.bytes()));
    } else {
        const PictureFile picture = pictureOf(first);
        m_info = openPictures(picture, inMemory({first.samples.begin(), first.samples.end()},
                                                layoutOf(picture)))
                     ->info();
    }
    m_info.frameCount = 1; // a source has no end
    checkFacts(m_info);
}

PictureFile ReceivedFrames::pictureOf(const ReceivedArray& array) const {
    PictureFile picture;
    picture.info.path = m_info.path;
    picture.axes = array.axes;
    picture.type = array.type;
    picture.form = array.form;
    return picture;
}

bool ReceivedFrames::fits(const ReceivedArray& array) const {
    if (!isDescribed())
        return array.description.empty() && array.type == m_type && array.axes == m_axes &&
               array.form == m_form;
    const bool same =
        m_isOwn || array.description.empty() || textOf(array.description) == m_description;
    return same && array.samples.size() == m_info.frame.bytes();
}

void ReceivedFrames::convert(const ReceivedArray& array, std::span<std::byte> out) const {
    if (isDescribed()) {
        std::ranges::copy(array.samples, out.begin());
        toNativeOrder(array.type, out);
        return;
    }
    PictureFile picture = pictureOf(array);
    picture.info.frame.valueRange = m_info.frame.valueRange; // else it is searched for
    std::vector<std::byte> samples(array.samples.begin(), array.samples.end());
    const ArrayLayout layout = layoutOf(picture);
    openPictures(std::move(picture), inMemory(std::move(samples), layout))->readFrame(0, out);
}

} // namespace echolux
