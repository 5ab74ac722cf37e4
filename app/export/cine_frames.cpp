// SPDX-License-Identifier: GPL-3.0-or-later
// The frame rate of a cine, the sentence that describes it, and its writer.
#include "app/export/cine_frames.hpp"

#include "app/export/facts.hpp"
#include "app/export/film.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <string>

namespace echolux {
namespace {

class CineWriter : public FrameWriter {
public:
    CineWriter(const ExportSubject& subject, OutputFiles& files)
        : m_frames(subject, files),
          m_film(makeFilm(files, {.framesPerSecond = m_frames.framesPerSecond(),
                                  .title = descriptionOf(subject),
                                  .colourMaps = {subject.look.colourMap}})) {}

    double framesPerSecond() const { return m_frames.framesPerSecond(); }
    void add(std::span<const std::byte> frame) override { m_film->add(m_frames.draw(frame)); }
    void finish() override { m_film->finish(); }

private:
    CineFrames m_frames;
    std::unique_ptr<Film> m_film;
};

std::string endingOf(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

} // namespace

std::unique_ptr<FrameWriter> makeGifWriter(const ExportSubject& subject, OutputFiles& files) {
    auto writer = std::make_unique<CineWriter>(subject, files);
    const double asked = writer->framesPerSecond();
    const double played = gifRate(asked);
    if (std::abs(played / asked - 1.0) > 0.01 && subject.remarks != nullptr)
        subject.remarks->push_back(fmt::format(
            "A GIF counts hundredths of a second: it plays {:.4g} frames/s, not {:.4g}.", played,
            asked));
    return writer;
}

std::unique_ptr<FrameWriter> makeCineWriter(const ExportSubject& subject, OutputFiles& files) {
    return std::make_unique<CineWriter>(subject, files);
}

bool isFilmName(const std::filesystem::path& path) {
    const std::string ending = endingOf(path);
    return ending == ".gif" || ending == ".mp4" || ending == ".webm";
}

std::unique_ptr<Film> makeFilm(OutputFiles& files, const FilmFacts& facts) {
    if (!isFilmName(files.target()))
        throw Error(fmt::format("'{}' names no kind of cine; end it in .gif, .mp4 or .webm.",
                                files.target().string()));
    return endingOf(files.target()) == ".gif" ? makeGifFilm(files, facts)
                                              : makeCodedFilm(files, facts);
}

CineFrames::CineFrames(const ExportSubject& subject, const OutputFiles& files)
    : m_maker(subject.frame, subject.look) {
    if (subject.look.depthBits != 8) refuseContent(files, subject, "a cine has colours of 8 bits");
    const auto say = [&](std::string sentence) {
        if (subject.remarks != nullptr && !sentence.empty())
            subject.remarks->push_back(std::move(sentence));
    };
    say(m_maker.remark());
    if (subject.frames == 1) say("A cine of one frame is a still picture; .png holds it too.");
    constexpr double kUsual = 25.0;
    constexpr double kMostShown = 120.0;
    m_framesPerSecond = subject.framesPerSecond > 0.0 ? subject.framesPerSecond
                        : subject.frameRateHz > 0.0   ? subject.frameRateHz
                                                      : kUsual;
    if (subject.framesPerSecond > 0.0) return;
    if (subject.frameRateHz <= 0.0)
        say("The frame rate of the recording is unknown; the cine plays 25 frames/s (--fps).");
    else if (subject.frameRateHz > kMostShown)
        say(fmt::format("The cine plays as fast as it was recorded, {:.5g} frames/s, which screens "
                        "cannot show; slow it down with --fps.",
                        subject.frameRateHz));
}

} // namespace echolux
