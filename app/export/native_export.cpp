// SPDX-License-Identifier: GPL-3.0-or-later
// Echolux recordings of raw frames, or of channel data from a stage.
#include "app/dataset/carried/native_carried.hpp"
#include "app/dataset/native/native_writer.hpp"
#include "app/export/facts.hpp"
#include "app/export/subject.hpp"

#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace echolux {
namespace {

class NativeExport : public FrameWriter {
public:
    NativeExport(const ExportSubject& subject, OutputFiles& files)
        : m_writer(files.partial(), subject.frame, subject.frameRateHz, provenanceOf(subject),
                   {.overwrite = true, .stamped = !subject.stamps.empty()}),
          m_carried(subject.carried), m_stamps(subject.stamps) {}
    void add(std::span<const std::byte> frame) override {
        const auto number = static_cast<std::size_t>(m_writer.frameCount());
        m_writer.append(frame, number < m_stamps.size() ? m_stamps[number] : FrameStamp{});
    }
    void finish() override {
        m_writer.close();
        writeNativeCarried(m_writer.path(), m_carried);
    }

private:
    static Provenance provenanceOf(const ExportSubject& subject) {
        const auto now =
            std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
        Provenance provenance;
        provenance.program = subject.program;
        provenance.source = descriptionOf(subject);
        provenance.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now);
        provenance.notes = subject.recording.notes;
        provenance.aberration = subject.recording.aberration;
        return provenance;
    }

    NativeWriter m_writer;
    CarriedFacts m_carried;
    std::vector<FrameStamp> m_stamps;
};

} // namespace

std::unique_ptr<FrameWriter> makeNativeWriter(const ExportSubject& subject, OutputFiles& files) {
    const bool spectra = subject.frame.spectrometer &&
                         subject.frame.find(AxisName::Depth) == nullptr &&
                         subject.source == kRecording;
    if (!spectra && !subject.isChannelData())
        refuseContent(files, subject, "an Echolux recording holds channel data or raw spectra");
    return std::make_unique<NativeExport>(subject, files);
}

} // namespace echolux
