// SPDX-License-Identifier: GPL-3.0-or-later
// Qt Multimedia, which asks for samples as it needs them.
#include "app/tools/doppler_sound/speaker.hpp"

#include "app/sound/sound_ring.hpp"

#ifdef ECHOLUX_HAS_MULTIMEDIA
#include <QAudioDevice>
#include <QAudioFormat>
#include <QAudioSink>
#include <QIODevice>
#include <QMediaDevices>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#endif

namespace echolux {

#ifdef ECHOLUX_HAS_MULTIMEDIA
namespace {

/// NOTE: Qt may call readData() on a thread of its own.
class RingDevice : public QIODevice {
public:
    explicit RingDevice(SoundRing& ring) : m_ring(ring) { open(QIODevice::ReadOnly); }
    bool isSequential() const override { return true; }
    qint64 bytesAvailable() const override {
        constexpr qint64 kPlenty = qint64{1} << 20; // silence where there is no sound
        return kPlenty;
    }

protected:
    qint64 readData(char* data, qint64 most) override {
        constexpr qint64 kBytes = sizeof(StereoSample);
        qint64 done = 0;
        while (most - done >= kBytes) {
            const auto count =
                std::min<qint64>((most - done) / kBytes, static_cast<qint64>(m_piece.size()));
            m_ring.read(std::span(m_piece).first(static_cast<std::size_t>(count)));
            std::memcpy(data + done, m_piece.data(), static_cast<std::size_t>(count * kBytes));
            done += count * kBytes;
        }
        return done;
    }
    qint64 writeData(const char*, qint64) override { return -1; }

private:
    SoundRing& m_ring;
    std::array<StereoSample, 256> m_piece;
};

class QtSpeaker : public Speaker {
public:
    QtSpeaker(const QAudioDevice& device, const QAudioFormat& format) : m_sink(device, format) {}
    ~QtSpeaker() override { m_sink.stop(); }
    int rateHz() const override { return m_sink.format().sampleRate(); }
    void start(SoundRing& ring) override {
        m_device = std::make_unique<RingDevice>(ring);
        m_sink.start(m_device.get());
    }
    QString problem() const override {
        if (m_sink.error() == QAudio::NoError || m_sink.error() == QAudio::UnderrunError) return {};
        return "The sound device stopped; check it and switch the sound on again.";
    }

private:
    std::unique_ptr<RingDevice> m_device;
    QAudioSink m_sink;
};

} // namespace

std::unique_ptr<Speaker> Speaker::preferred(QString& why) {
    static_assert(sizeof(StereoSample) == 2 * sizeof(float));
    const QAudioDevice device = QMediaDevices::defaultAudioOutput();
    if (device.isNull()) {
        why = "This computer has no sound device; connect one and switch the sound on again.";
        return nullptr;
    }
    QAudioFormat format = device.preferredFormat();
    format.setChannelConfig(QAudioFormat::ChannelConfigStereo);
    format.setSampleFormat(QAudioFormat::Float);
    if (!device.isFormatSupported(format)) {
        why = QString("The sound device \"%1\" plays no stereo sound; choose another one in the "
                      "settings of the system.")
                  .arg(device.description());
        return nullptr;
    }
    return std::make_unique<QtSpeaker>(device, format);
}
#else
std::unique_ptr<Speaker> Speaker::preferred(QString& why) {
    why = "This build plays no sound, because it was built without Qt Multimedia; "
          "'echolux export -o sound.wav' writes the sound to a file.";
    return nullptr;
}
#endif

} // namespace echolux
