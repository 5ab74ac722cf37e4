// SPDX-License-Identifier: GPL-3.0-or-later
// Records the images of views beside the raw frames of a live source, each with the number of its
// raw frame.
#pragma once

#include "app/live/recorder.hpp"
#include "app/session/engine.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

struct ImageRecorderSetup {
    RecorderSetup raw;                   ///< as given to the recorder of the raw frames
    std::vector<std::string> views = {}; ///< by their ids; empty: all of the pipeline
};

struct RecordedImages {
    std::string view;
    std::vector<std::filesystem::path> files = {}; ///< another one for each other size of images
    std::int64_t images = 0;                       ///< that are in the files
    std::uint64_t leftOut = 0; ///< images that were made and for which there was no place
    std::string failure = {};  ///< why writing ended early
};

/// The path for the images of a view beside a recording. `part` counts files from 1.
std::filesystem::path imagesBeside(const std::filesystem::path& recording, const std::string& view,
                                   int part = 1);

/// Each file is an Echolux recording of images, see resources/help/live.md. An image is written
/// once its raw frame is in the file; an image of a frame that is not in the file is not written.
/// A raw frame has one image: the first one that was made of it. Each view has a thread, so the
/// pipeline never waits for the disk while images come.
class ImageRecorder {
public:
    /// Throws Error where the pipeline lacks a view, and where a file cannot be written.
    static void check(const Snapshot& pipeline, const ImageRecorderSetup& setup);
    /// `engine` images the live recording of `raw` on `backend`. Both outlive this object. Throws
    /// as check().
    ImageRecorder(Engine& engine, Backend backend, const Recorder& raw,
                  const ImageRecorderSetup& setup);
    ~ImageRecorder(); ///< calls finish()

    /// True where all raw frames are written, and the pipeline has passed the last one.
    bool isComplete() const;
    std::vector<RecordedImages> state() const;
    /// Waits until the images that were made are written, and closes the files.
    std::vector<RecordedImages> finish();

private:
    class View;

    Engine& m_engine;
    const Recorder& m_raw;
    std::int64_t m_ensemble; ///< raw frames that make an image
    std::vector<std::unique_ptr<View>> m_views;
};

} // namespace echolux
