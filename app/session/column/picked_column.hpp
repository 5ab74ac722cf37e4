// SPDX-License-Identifier: GPL-3.0-or-later
// The column that a user picked in the image, kept up to date with what is shown.
#pragma once

#include "app/session/column/column.hpp"
#include "app/session/column/iq_probe.hpp"
#include "app/session/column/spectrum_probe.hpp"
#include "app/session/look/asked_look.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

/// Copies a few kilobytes of the column at a lateral place to the host, on a stream of its own.
class PickedColumn : public StandingLook<double, ColumnData> {
public:
    explicit PickedColumn(const LookPlace& place);

    static std::vector<std::string> outputs(const Snapshot& snapshot);

    /// Any thread. Reads the column at `lateralM` as soon as an image is shown.
    void pick(double lateralM) {
        want(lateralM);
        refresh();
    }

private:
    std::shared_ptr<const ColumnData> look(const double& lateralM, const LookFrame& shown) override;
    void readEnvelope(ColumnData& column, const ConstTensorView& envelope, std::int64_t bscan);
    void readShown(ColumnData& column, const ConstTensorView& image, std::int64_t bscan);
    void readAscan(ColumnData& column, const ConstTensorView& image, std::int64_t bscan);
    void readViews(ColumnData& column, const LookFrame& shown);
    /// The column at `place` of an f32 image, beginning with its shallowest or earliest sample.
    std::vector<float> lineOf(const ConstTensorView& view, double place, std::int64_t bscan);

    Backend m_backend;
    FrameSpec m_raw;
    RawLineReader m_lines;
    SpectrumProbe m_probe;
    IqProbe m_iq;
    Stream m_stream;
    Buffer m_staging;
};

} // namespace echolux
