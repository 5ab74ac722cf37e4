// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures one after the other as a film: GIF, or MP4 and WebM by FFmpeg's libraries.
#pragma once

#include "app/export/output_files.hpp"

#include <QImage>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

/// Writes the target of OutputFiles. One thread calls it. Throws Error. Where finish() was not
/// called, the file is not whole.
class Film {
public:
    Film() = default;
    Film(const Film&) = delete;
    Film& operator=(const Film&) = delete;
    virtual ~Film() = default;
    virtual void add(const QImage& picture) = 0; ///< all have the size of the first
    virtual void finish() = 0;
};

struct FilmFacts {
    double framesPerSecond = 25.0;
    std::string title = {};                   ///< MP4 and WebM keep it
    std::vector<std::string> colourMaps = {}; ///< maps whose colours the pictures have; a GIF has
                                              ///< these, and greys
};

/// True where the name ends in .gif, .mp4 or .webm.
bool isFilmName(const std::filesystem::path& path);

/// The ending of the target decides: .gif, .mp4 or .webm. Throws Error for other endings, and where
/// this build cannot write that kind.
std::unique_ptr<Film> makeFilm(OutputFiles& files, const FilmFacts& facts);

/// The rate at which a GIF for `framesPerSecond` plays: it counts hundredths of a second.
double gifRate(double framesPerSecond);

// The kinds, for makeFilm().
std::unique_ptr<Film> makeGifFilm(OutputFiles& files, const FilmFacts& facts);
std::unique_ptr<Film> makeCodedFilm(OutputFiles& files, const FilmFacts& facts);

} // namespace echolux
