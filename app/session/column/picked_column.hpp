// SPDX-License-Identifier: GPL-3.0-or-later
// The column that somebody picked in the image, kept up to date from what is shown.
#pragma once

#include "app/session/column/column.hpp"
#include "app/session/column/spectrum_probe.hpp"
#include "app/session/stream/mailbox.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace echolux {

/// What a column is read from.
struct ShownImage {
    SnapshotPtr snapshot;                    ///< that made it
    RawPlace raw;                            ///< of it; none: gone
    std::span<const ConstTensorView> images; ///< ready, f32, one per view; not empty
    ConstTensorView envelope; ///< ready, in compute memory; null data where there is none
    std::int64_t bscan = 0;   ///< of those in the frame
};

/// The one place where pixels visit the host: a few kilobytes, on a stream of its own, at most ten
/// times a second.
class PickedColumn {
public:
    PickedColumn(const FrameSpec& raw, Backend backend);

    // Any thread.
    void pick(std::optional<double> lateralM); ///< null: none
    std::optional<ColumnData> data() const;
    bool isNew() const; ///< another one was picked since read()
    /// Channels of which transmit are read as well; null: none. From raw frames in host memory, so
    /// that nothing is copied from a device.
    void wantChannels(std::optional<std::int64_t> transmit);
    std::shared_ptr<const ChannelMatrix> channels() const; ///< null until they came

    // Pipeline thread.
    void prepare(const Snapshot& snapshot); ///< allocates; nothing is being read
    void imageCame() { m_stale = true; }
    /// When it is to be read again where an image is shown; null: nothing to do.
    std::optional<Clock::time_point> due() const;
    bool isDue() const;
    /// True where data() has news.
    bool read(const ShownImage& shown);

private:
    void readChannels(const ShownImage& shown, std::int64_t transmit);
    ColumnData readColumn(const ShownImage& shown, double lateralM);
    void readEnvelope(ColumnData& column, const ConstTensorView& envelope, std::int64_t bscan);
    void readShown(ColumnData& column, const ConstTensorView& image, std::int64_t bscan);
    void readAscan(ColumnData& column, const ConstTensorView& image, std::int64_t bscan);
    void readViews(ColumnData& column, const ShownImage& shown);
    /// The column at `place` of an f32 image, from its shallowest or earliest sample on.
    std::vector<float> lineOf(const ConstTensorView& view, double place, std::int64_t bscan);

    Backend m_backend;
    FrameSpec m_raw;
    RawLineReader m_lines;
    SpectrumProbe m_probe;
    Stream m_stream;
    Buffer m_staging;
    Clock::time_point m_lastRead;
    bool m_stale = false; ///< an image came since

    mutable std::mutex m_mutex; ///< guards what follows
    std::optional<double> m_picked;
    std::optional<std::int64_t> m_channelsOf;
    std::shared_ptr<const ChannelMatrix> m_channels;
    bool m_isNew = false;
    std::optional<ColumnData> m_data;
};

} // namespace echolux
