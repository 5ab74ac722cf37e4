// SPDX-License-Identifier: GPL-3.0-or-later
// MP4 (H.264, else MPEG-4) and WebM (VP9, else VP8) by FFmpeg's libraries.
#include "app/export/film.hpp"
#include "app/export/subject.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#ifdef ECHOLUX_HAS_FFMPEG
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
}
#endif

namespace echolux {

#ifdef ECHOLUX_HAS_FFMPEG

namespace {

constexpr int kMostPixelsAside = 16384;

struct Free {
    void operator()(AVCodecContext* of) const { avcodec_free_context(&of); }
    void operator()(AVFrame* of) const { av_frame_free(&of); }
    void operator()(AVPacket* of) const { av_packet_free(&of); }
    void operator()(SwsContext* of) const { sws_freeContext(of); }
    void operator()(AVFormatContext* of) const {
        if (of->pb != nullptr) avio_closep(&of->pb);
        avformat_free_context(of);
    }
};
template <class T> using Owned = std::unique_ptr<T, Free>;

/// WebM: VP9, else VP8. MP4: H.264, else MPEG-4. Null where FFmpeg contains neither.
const AVCodec* encoderOf(bool webm) {
    if (webm) {
        const AVCodec* vp9 = avcodec_find_encoder_by_name("libvpx-vp9");
        return vp9 != nullptr ? vp9 : avcodec_find_encoder_by_name("libvpx");
    }
    const AVCodec* h264 = avcodec_find_encoder_by_name("libx264");
    return h264 != nullptr ? h264 : avcodec_find_encoder(AV_CODEC_ID_MPEG4);
}

class CodedFilm : public Film {
public:
    CodedFilm(OutputFiles& files, const FilmFacts& facts, const AVCodec* codec, bool webm)
        : m_files(files), m_facts(facts), m_codec(codec), m_webm(webm) {}

    void add(const QImage& shown) override {
        const QImage picture = shown.convertToFormat(QImage::Format_RGB32);
        if (!m_encoder) open(picture.width(), picture.height());
        need(av_frame_make_writable(m_frame.get()));
        const QImage padded = picture.copy(0, 0, m_encoder->width, m_encoder->height);
        const std::array<const uint8_t*, 1> from{padded.constBits()};
        const std::array<int, 1> stride{static_cast<int>(padded.bytesPerLine())};
        sws_scale(m_scaler.get(), from.data(), stride.data(), 0, m_encoder->height, m_frame->data,
                  m_frame->linesize);
        m_frame->pts = m_count++;
        encode(m_frame.get());
    }
    void finish() override {
        encode(nullptr);
        need(av_write_trailer(m_file.get()));
        need(avio_closep(&m_file->pb));
    }

private:
    void need(int status) const {
        if (status >= 0) return;
        std::array<char, AV_ERROR_MAX_STRING_SIZE> why{};
        av_strerror(status, why.data(), why.size());
        m_files.refuse(why.data());
    }

    void open(int width, int height) {
        if (std::max(width, height) > kMostPixelsAside)
            throw Error(fmt::format("Cannot write '{}': its pictures of {} x {} pixels are larger "
                                    "than cines hold; choose a coarser grid.",
                                    m_files.target().string(), width, height));
        AVFormatContext* file = nullptr;
        need(avformat_alloc_output_context2(&file, nullptr, m_webm ? "webm" : "mp4", nullptr));
        m_file.reset(file);
        m_file->flags |= AVFMT_FLAG_BITEXACT; // without a random number in .webm
        m_encoder.reset(avcodec_alloc_context3(m_codec));
        m_packet.reset(av_packet_alloc());
        m_frame.reset(av_frame_alloc());
        if (!m_encoder || !m_packet || !m_frame) m_files.refuse("no memory");
        AVCodecContext& encoder = *m_encoder;
        encoder.width = width + width % 2; // even sizes, because chroma has half the resolution
        encoder.height = height + height % 2;
        encoder.pix_fmt = AV_PIX_FMT_YUV420P;
        constexpr int kFinest = 60000;
        encoder.framerate = av_d2q(m_facts.framesPerSecond, kFinest);
        encoder.time_base = av_inv_q(encoder.framerate);
        encoder.color_range = AVCOL_RANGE_MPEG;
        encoder.colorspace = AVCOL_SPC_SMPTE170M;
        encoder.gop_size = 25; // so that players can seek
        chooseQuality(encoder);
        if ((m_file->oformat->flags & AVFMT_GLOBALHEADER) != 0)
            encoder.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
        need(avcodec_open2(m_encoder.get(), m_codec, nullptr));
        m_stream = avformat_new_stream(m_file.get(), nullptr);
        if (m_stream == nullptr) m_files.refuse("no memory");
        need(avcodec_parameters_from_context(m_stream->codecpar, m_encoder.get()));
        m_stream->time_base = encoder.time_base;
        m_stream->avg_frame_rate = encoder.framerate;
        av_dict_set(&m_file->metadata, "title", m_facts.title.c_str(), 0);
        need(avio_open(&m_file->pb, m_files.partial().c_str(), AVIO_FLAG_WRITE));
        need(avformat_write_header(m_file.get(), nullptr));
        m_frame->format = encoder.pix_fmt;
        m_frame->width = encoder.width;
        m_frame->height = encoder.height;
        need(av_frame_get_buffer(m_frame.get(), 0));
        m_scaler.reset(sws_getContext(encoder.width, encoder.height, AV_PIX_FMT_BGRA, encoder.width,
                                      encoder.height, encoder.pix_fmt, SWS_BICUBIC, nullptr,
                                      nullptr, nullptr));
        if (!m_scaler) m_files.refuse("its colours cannot be converted");
    }

    /// Images consist of speckle, so the quality is higher than usual.
    static void chooseQuality(AVCodecContext& encoder) {
        const std::string name = encoder.codec->name;
        if (name == "libx264") {
            av_opt_set(encoder.priv_data, "crf", "16", 0);
            av_opt_set(encoder.priv_data, "preset", "fast", 0);
        } else if (name.starts_with("libvpx")) {
            av_opt_set(encoder.priv_data, "crf", "18", 0);
            av_opt_set(encoder.priv_data, "deadline", "good", 0);
            av_opt_set(encoder.priv_data, "cpu-used", "4", 0);
            encoder.bit_rate = name == "libvpx" ? 20'000'000 : 0;
        } else {
            encoder.flags |= AV_CODEC_FLAG_QSCALE;
            encoder.global_quality = 2 * FF_QP2LAMBDA;
        }
    }

    void encode(const AVFrame* frame) {
        if (!m_encoder) return;
        need(avcodec_send_frame(m_encoder.get(), frame));
        for (;;) {
            const int status = avcodec_receive_packet(m_encoder.get(), m_packet.get());
            if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return;
            need(status);
            m_packet->duration = 1;
            av_packet_rescale_ts(m_packet.get(), m_encoder->time_base, m_stream->time_base);
            m_packet->stream_index = m_stream->index;
            need(av_interleaved_write_frame(m_file.get(), m_packet.get()));
        }
    }

    OutputFiles& m_files;
    FilmFacts m_facts;
    const AVCodec* m_codec;
    bool m_webm;
    Owned<AVFormatContext> m_file;
    Owned<AVCodecContext> m_encoder;
    Owned<AVFrame> m_frame;
    Owned<AVPacket> m_packet;
    Owned<SwsContext> m_scaler;
    AVStream* m_stream = nullptr;
    std::int64_t m_count = 0;
};

} // namespace

bool hasCineEncoders() { return true; }

std::unique_ptr<Film> makeCodedFilm(OutputFiles& files, const FilmFacts& facts) {
    std::string ending = files.target().extension().string();
    std::ranges::transform(ending, ending.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool webm = ending == ".webm";
    const AVCodec* codec = encoderOf(webm);
    if (codec == nullptr)
        throw Error(fmt::format("Cannot write '{}': FFmpeg was built without an encoder for it; "
                                "write .gif, or .mp4 or .webm, whichever this is not.",
                                files.target().string()));
    av_log_set_level(AV_LOG_ERROR);
    return std::make_unique<CodedFilm>(files, facts, codec, webm);
}

#else

bool hasCineEncoders() { return false; }

std::unique_ptr<Film> makeCodedFilm(OutputFiles& files, const FilmFacts&) {
    throw Error(fmt::format("Cannot write '{}': this Echolux was built without FFmpeg; write .gif, "
                            "or build it where libavformat, libavcodec and libswscale are.",
                            files.target().string()));
}

#endif

} // namespace echolux
