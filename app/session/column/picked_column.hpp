// SPDX-License-Identifier: GPL-3.0-or-later
// The column that a user picked in the image, kept up to date with what is shown.
#pragma once

#include "app/session/column/column.hpp"
#include "app/session/column/iq_probe.hpp"
#include "app/session/column/spectrum_probe.hpp"
#include "app/session/stream/mailbox.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace echolux {

/// What a column is read from: the shown image with its raw frame.
struct ShownImage {
    SnapshotPtr snapshot;                    ///< the snapshot that made the image
    RawPlace raw;                            ///< the raw frame of the image; empty: no longer there
    std::span<const ConstTensorView> images; ///< ready, f32, one per view; not empty
    ConstTensorView envelope; ///< ready, in compute memory; its data is null where there is no
                              ///< envelope
    std::int64_t bscan = 0;   ///< number of the shown B-scan in the frame
};

/// The only object that copies pixels to the host: a few kilobytes, on a stream of its own, at most
/// ten times a second.
class PickedColumn {
public:
    PickedColumn(const FrameSpec& raw, Backend backend);

    // Any thread.
    void pick(std::optional<double> lateralM); ///< null: none
    std::optional<ColumnData> data() const;
    bool isNew() const; ///< another column was picked since read()
    /// The transmit whose channels are read as well; null: none. They are read from raw frames in
    /// host memory, so nothing is copied from a device.
    void wantChannels(std::optional<std::int64_t> transmit);
    std::shared_ptr<const ChannelMatrix> channels() const; ///< null until they have been read

    // Pipeline thread.
    void prepare(const Snapshot& snapshot); ///< allocates; called while nothing is being read
    void imageCame() { m_stale = true; }
    /// When the column must be read again, provided that an image is shown; null: nothing to do.
    std::optional<Clock::time_point> due() const;
    bool isDue() const;
    /// True where data() has changed.
    bool read(const ShownImage& shown);

private:
    void readChannels(const ShownImage& shown, std::int64_t transmit);
    ColumnData readColumn(const ShownImage& shown, double lateralM);
    void readEnvelope(ColumnData& column, const ConstTensorView& envelope, std::int64_t bscan);
    void readShown(ColumnData& column, const ConstTensorView& image, std::int64_t bscan);
    void readAscan(ColumnData& column, const ConstTensorView& image, std::int64_t bscan);
    void readViews(ColumnData& column, const ShownImage& shown);
    /// The column at `place` of an f32 image, beginning with its shallowest or earliest sample.
    std::vector<float> lineOf(const ConstTensorView& view, double place, std::int64_t bscan);

    Backend m_backend;
    FrameSpec m_raw;
    RawLineReader m_lines;
    SpectrumProbe m_probe;
    IqProbe m_iq;
    Stream m_stream;
    Buffer m_staging;
    Clock::time_point m_lastRead;
    bool m_stale = false; ///< an image has come since read()

    mutable std::mutex m_mutex; ///< guards what follows
    std::optional<double> m_picked;
    std::optional<std::int64_t> m_channelsOf;
    std::shared_ptr<const ChannelMatrix> m_channels;
    bool m_isNew = false;
    std::optional<ColumnData> m_data;
};

} // namespace echolux
