// SPDX-License-Identifier: GPL-3.0-or-later
// What is written, and the contract of the writers.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/recording/frame_stamp.hpp"
#include "app/export/export.hpp"
#include "app/export/output_files.hpp"
#include "app/session/gate_pulses.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// A sequence of frames with the same specification.
struct ExportSubject {
    FrameSpec frame; ///< of one frame: u8, i16, u16, f32 or complex_f32; raw frames may also be
                     ///< packed12 or complex_i16
    std::int64_t frames = 1;
    std::int64_t firstFrame = 0;               ///< in the recording, from 0
    std::int64_t ensemble = 1;                 ///< recorded frames that one of these is made of
    bool wasChosen = false;                    ///< the request named the frames
    double frameRateHz = 0.0;                  ///< frames per second; 0 = unknown
    RecordedForm form = RecordedForm::Signals; ///< Signals: channel data, spectra
    double beamformedAtMps = 0.0; ///< speed of sound of the beamformer that made the frames; 0: no
                                  ///< beamformer did
    RecordingInfo recording;      ///< the recording of the frames
    CarriedFacts carried;         ///< what its file says besides, of these frames
    std::vector<FrameStamp> stamps =
        {};               ///< of each frame, of an ensemble its last one; empty: none
    std::string source;   ///< the output that is written: "recording", "envelope", ...
    std::string pipeline; ///< its name; empty: none was run
    std::string program;
    ExportLook look;
    double framesPerSecond = 0.0;
    std::optional<double> columnM;
    std::optional<GatePulses> gate;              ///< of the pipeline; null: it has none
    std::vector<std::string>* remarks = nullptr; ///< receives sentences for the user

    bool isRecorded() const; ///< no pipeline has changed the frames
    bool isChannelData() const;
    bool isImage() const; ///< it has a depth and a lateral axis, and at most an elevation axis
                          ///< besides
};

/// Writes frames in order. One thread calls it. Throws Error. Where finish() was not called, no
/// file is kept.
class FrameWriter {
public:
    FrameWriter() = default;
    FrameWriter(const FrameWriter&) = delete;
    FrameWriter& operator=(const FrameWriter&) = delete;
    virtual ~FrameWriter() = default;
    virtual void add(std::span<const std::byte> frame) = 0;
    virtual void finish() = 0;
};

/// Makes a writer. Throws Error, before any frame is made, where the file type cannot hold the
/// subject.
using MakeWriter = std::unique_ptr<FrameWriter> (*)(const ExportSubject& subject,
                                                    OutputFiles& files);

std::unique_ptr<FrameWriter> makePictureWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeTiffWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeGifWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeCineWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeCurveWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeWaveWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNpyWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNpzWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeMatWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeZeaWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeUffWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNrrdWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeMetaImageWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNiftiWriter(const ExportSubject& subject, OutputFiles& files);
std::unique_ptr<FrameWriter> makeNativeWriter(const ExportSubject& subject, OutputFiles& files);

/// True where this build can write .mp4 and .webm.
bool hasCineEncoders();

/// Throws the error of a file type that cannot hold the subject.
[[noreturn]] void refuseContent(const OutputFiles& files, const ExportSubject& subject,
                                const std::string& why);

} // namespace echolux
