// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes parts.
#include "app/export/part_file.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace echolux {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view kMagic = "Echolux part, version 1\n";
constexpr std::size_t kUsualHead = std::size_t{1} << 16;
constexpr std::size_t kLongestHead = std::size_t{8} << 20;
constexpr std::size_t kHashBytes = 32;
constexpr const char* kCuda = "cuda";
constexpr const char* kCpu = "cpu";

std::string headText(const PartHead& head) {
    std::vector<std::string> plugins;
    for (const auto& plugin : head.plugins) plugins.push_back(plugin.string());
    const ordered_json root{{"program", head.program},
                            {"recording", head.recording.string()},
                            {"recording_sha256", head.recordingHash},
                            {"recording_frames", head.recordingFrames},
                            {"first_frame", head.range.first + 1},
                            {"last_frame", head.range.last + 1},
                            {"sidecar", head.sidecar.string()},
                            {"calibration", head.calibration.string()},
                            {"track", head.track},
                            {"plugins", plugins},
                            {"facts_sha256", head.facts},
                            {"pipeline", head.pipeline},
                            {"output_of", head.outputOf},
                            {"backend", head.backend == Backend::Cuda ? kCuda : kCpu},
                            {"computed_on", head.computedOn},
                            {"cut", head.cut},
                            {"frame", head.frame},
                            {"frame_bytes", head.frameBytes},
                            {"ensemble", head.ensemble},
                            {"frames_per_ensemble", head.perWindow}};
    return root.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

PartHead headOf(const json& root) {
    const auto text = [&](const char* key) { return root.at(key).get<std::string>(); };
    const auto number = [&](const char* key) {
        return root.at(key).get_ref<const json::number_integer_t&>(); // a fraction throws
    };
    PartHead head;
    head.program = text("program");
    head.recording = text("recording");
    head.recordingHash = text("recording_sha256");
    head.recordingFrames = number("recording_frames");
    head.range = {number("first_frame") - 1, number("last_frame") - 1};
    head.sidecar = text("sidecar");
    head.calibration = text("calibration");
    head.track = number("track");
    for (const json& plugin : root.at("plugins"))
        head.plugins.emplace_back(plugin.get<std::string>());
    head.facts = text("facts_sha256");
    head.pipeline = text("pipeline");
    head.outputOf = text("output_of");
    head.backend = text("backend") == kCuda ? Backend::Cuda : Backend::Cpu;
    head.computedOn = text("computed_on");
    head.cut = text("cut");
    head.frame = text("frame");
    head.frameBytes = static_cast<std::size_t>(number("frame_bytes"));
    head.ensemble = number("ensemble");
    head.perWindow = number("frames_per_ensemble");
    return head;
}

/// The beginning of the file up to the second line's end; the whole beginning where it has none.
std::string linesOf(const InputFile& file) {
    for (std::uint64_t bytes = kUsualHead;; bytes = kLongestHead) {
        std::string begin(std::min<std::uint64_t>(file.size(), bytes), '\0');
        file.read(0, std::as_writable_bytes(std::span(begin)));
        const std::size_t end = begin.find('\n', std::min(kMagic.size(), begin.size()));
        if (end != std::string::npos) return begin.substr(0, end + 1);
        if (bytes == kLongestHead || begin.size() < bytes) return begin;
    }
}

/// Numbers that fit each other and a file of `bytes` bytes.
bool isSound(const PartHead& head, std::uint64_t bytes) {
    const ExportFrames& range = head.range;
    return range.first >= 0 && range.last >= range.first && range.last < head.recordingFrames &&
           head.ensemble > 0 && head.ensemble <= kMostEnsembleFrames && head.perWindow > 0 &&
           (range.last - range.first + 1) % head.ensemble == 0 && head.frameBytes > 0 &&
           head.frameBytes <= bytes && head.perWindow <= static_cast<std::int64_t>(bytes) &&
           head.recordingFrames < (std::int64_t{1} << 48);
}

} // namespace

bool isPartName(const std::filesystem::path& path) { return path.extension() == ".part"; }

PartWriter::PartWriter(const OutputFiles& files, const PartHead& head)
    : m_file(files, files.partial()) {
    write(kMagic);
    write(headText(head));
}

void PartWriter::write(std::string_view bytes) {
    m_file.write(bytes);
    m_hash.addData(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
}

void PartWriter::add(std::span<const std::byte> frame) {
    write({reinterpret_cast<const char*>(frame.data()), frame.size()});
}

void PartWriter::finish() {
    const QByteArray digest = m_hash.result();
    m_file.write(std::string_view(digest.data(), static_cast<std::size_t>(digest.size())));
    m_file.close();
}

PartFile::PartFile(const std::filesystem::path& path) : m_file(path) {
    const Error noPart =
        fileError(path, "it is no part of a recording, or its head is damaged; name files that "
                        "'echolux export -o NAME.part' wrote");
    const std::string lines = linesOf(m_file);
    if (!lines.starts_with(kMagic) || !lines.ends_with('\n')) throw noPart;
    const json root = json::parse(std::string_view(lines).substr(kMagic.size()), nullptr, false);
    try {
        m_head = headOf(root);
    } catch (const json::exception&) {
        throw noPart;
    }
    if (!isSound(m_head, m_file.size())) throw noPart;
    m_at = lines.size();
    m_left = m_head.frames();
    m_hash.addData(QByteArrayView(lines.data(), static_cast<qsizetype>(m_at)));
    const double wanted = static_cast<double>(m_at) + kHashBytes +
                          static_cast<double>(m_left) * static_cast<double>(m_head.frameBytes);
    if (wanted != static_cast<double>(m_file.size()))
        throw fileError(path, fmt::format("it has {} bytes instead of {:.0f}; export this part "
                                          "again",
                                          m_file.size(), wanted));
}

void PartFile::next(std::span<std::byte> frame) {
    m_file.read(m_at, frame);
    m_at += frame.size();
    m_hash.addData(QByteArrayView(reinterpret_cast<const char*>(frame.data()),
                                  static_cast<qsizetype>(frame.size())));
    if (--m_left > 0) return;
    std::array<std::byte, kHashBytes> digest{};
    m_file.read(m_at, digest);
    if (std::memcmp(m_hash.result().data(), digest.data(), kHashBytes) != 0)
        throw fileError(path(), "its bytes do not match their checksum, so it is damaged; export "
                                "this part again");
}

void PartFile::checkRest() {
    std::vector<std::byte> frame(m_head.frameBytes);
    while (m_left > 0) next(frame);
}

} // namespace echolux
