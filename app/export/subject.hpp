// SPDX-License-Identifier: GPL-3.0-or-later
// What is written, and the contract of those that write it.
#pragma once

#include "app/export/export.hpp"
#include "app/export/output_files.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Frames that come one after the other, all alike.
struct ExportSubject {
    FrameSpec frame; ///< of one frame: u8, i16, u16, f32 or complex_f32, but packed12 and
                     ///< complex_i16 too where `raw`
    std::int64_t frames = 1;
    std::int64_t firstFrame = 0;               ///< in the recording, from 0
    bool wasChosen = false;                    ///< somebody said which frames
    double frameRateHz = 0.0;                  ///< from one of them to the next; 0 = unknown
    RecordedForm form = RecordedForm::Signals; ///< Signals: channel data, spectra
    double beamformedAtMps = 0.0; ///< speed of sound of the beamformer that made them; 0: none did
    RecordingInfo recording;      ///< that they come from
    std::string source;           ///< "recording", "envelope", ...: whose output
    std::string pipeline;         ///< its name; empty: none was run
    std::string program;
    ExportLook look;
    double framesPerSecond = 0.0;
    std::optional<double> columnM;
    std::vector<std::string>* remarks = nullptr; ///< for sentences to the user

    bool isChannelData() const;
    bool isImage() const; ///< has a depth and a lateral axis and at most an elevation besides
};

/// Takes frames in order, on one thread; throws Error. Where finish() was not reached the files are
/// left out.
class FrameWriter {
public:
    FrameWriter() = default;
    FrameWriter(const FrameWriter&) = delete;
    FrameWriter& operator=(const FrameWriter&) = delete;
    virtual ~FrameWriter() = default;
    virtual void add(std::span<const std::byte> frame) = 0;
    virtual void finish() = 0;
};

/// Refuses what the ending cannot hold before any frame is made.
using MakeWriter = std::unique_ptr<FrameWriter> (*)(const ExportSubject& subject,
                                                    OutputFiles& files);

std::unique_ptr<FrameWriter> makePictureWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeTiffWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeGifWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeCineWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeCurveWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNpyWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNpzWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeMatWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeZeaWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeUffWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNrrdWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNiftiWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNativeWriter(const ExportSubject& subject, OutputFiles& files);

/// Whether this build can write .mp4 and .webm.
bool hasCineEncoders();

/// The sentence for what an ending cannot hold.
[[noreturn]] void refuseContent(const OutputFiles& files, const ExportSubject& subject,
                                const std::string& why);

} // namespace echolux
