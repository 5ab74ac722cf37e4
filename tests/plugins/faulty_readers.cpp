// SPDX-License-Identifier: GPL-3.0-or-later
// Readers that fail, each at another point. The file's text says which one recognises it.
#include "app/dataset/recording/file_reader.hpp"
#include "gpu/stage/plugin.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using namespace echolux;

bool begins(const InputFile& file, std::string_view word) {
    if (file.size() < word.size()) return false;
    std::string head(word.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(head)));
    return head == word;
}

/// An image of two by three pixels, which `change` makes wrong.
class Image : public Recording {
public:
    template <class Change> explicit Image(const Change& change) {
        m_info.frame.dtype = DType::U8;
        m_info.frame.recordedForm = RecordedForm::Picture;
        m_info.frame.axes = {{.name = AxisName::Depth, .size = 2, .unit = {}},
                             {.name = AxisName::Lateral, .size = 3, .unit = {}}};
        m_info.frameCount = 2;
        change(m_info);
    }
    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        if (index == 1) throw 7; // NOLINT: not even an exception
        std::ranges::fill(out, std::byte{5});
    }
};

template <auto Change>
std::unique_ptr<Recording> open(std::shared_ptr<const InputFile>, const OpenOptions&) {
    return std::make_unique<Image>(Change);
}

class PartsTooFar final : public Image {
public:
    PartsTooFar() : Image([](RecordingInfo&) {}) {}
    std::vector<FramePart> partsOf(std::int64_t) const override {
        return {{.begin = 0, .bytes = 1000, .read = [](std::span<std::byte>) {}}};
    }
};

constexpr FileReader kThrowsAtLook{.recognises = [](const InputFile& file) -> bool {
                                       if (begins(file, "look!"))
                                           throw std::out_of_range("no look");
                                       return false;
                                   },
                                   .open = open<[](RecordingInfo&) {}>,
                                   .name = "throws_at_look"};
constexpr FileReader kThrows{
    .recognises = [](const InputFile& file) { return begins(file, "open!"); },
    .open = [](std::shared_ptr<const InputFile>, const OpenOptions&) -> std::unique_ptr<Recording> {
        throw 7; // NOLINT: not even an exception
    },
    .name = "throws"};
constexpr FileReader kNull{
    .recognises = [](const InputFile& file) { return begins(file, "null!"); },
    .open = [](std::shared_ptr<const InputFile>, const OpenOptions&) -> std::unique_ptr<Recording> {
        return nullptr;
    },
    .name = "null"};
constexpr FileReader kSizes{
    .recognises = [](const InputFile& file) { return begins(file, "size!"); },
    .open = open<[](RecordingInfo& info) { info.frame.axes[0].size = -2; }>,
    .name = "sizes"};
constexpr FileReader kHuge{
    .recognises = [](const InputFile& file) { return begins(file, "huge!"); },
    .open = open<[](RecordingInfo& info) {
        for (Axis& axis : info.frame.axes) axis.size = std::int64_t{1} << 18;
    }>,
    .name = "huge"};
constexpr FileReader kNoProbe{
    .recognises = [](const InputFile& file) { return begins(file, "none!"); },
    .open = open<[](RecordingInfo& info) { info.frame.recordedForm = RecordedForm::Signals; }>,
    .name = "no_probe"};
constexpr FileReader kFrames{
    .recognises = [](const InputFile& file) { return begins(file, "read!"); },
    .open = open<[](RecordingInfo&) {}>,
    .name = "frames"};
constexpr FileReader kParts{
    .recognises = [](const InputFile& file) { return begins(file, "part!"); },
    .open = [](std::shared_ptr<const InputFile>, const OpenOptions&) -> std::unique_ptr<Recording> {
        return std::make_unique<PartsTooFar>();
    },
    .name = "parts"};
constexpr FileReader kJealous{
    // of a file that a built-in reader opens
    .recognises = [](const InputFile& file) { return begins(file, "\x89HDF"); },
    .open = [](std::shared_ptr<const InputFile>, const OpenOptions&) -> std::unique_ptr<Recording> {
        return nullptr;
    },
    .name = "jealous"};

} // namespace

ECHOLUX_PLUGIN_PARTS("Faulty readers", "1.0",
                     .readers = {&kThrowsAtLook, &kThrows, &kNull, &kSizes, &kHuge, &kNoProbe,
                                 &kFrames, &kParts, &kJealous})
