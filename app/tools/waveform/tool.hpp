// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Doppler waveform" at work: the envelope of each shown sonogram, drawn over it, and its
// heartbeats.
#pragma once

#include "app/measure/envelope.hpp"
#include "app/session/pixels_look.hpp"
#include "ui/views/overlay/shapes_overlay.hpp"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

class WaveformPanel;
class Workbench;

/// Follows the shown frames while the dock is in sight. One sonogram at a time is measured, off the
/// window's thread.
class WaveformTool : public QObject {
    Q_OBJECT
public:
    using Looks = LookList<PixelsLook>;

    WaveformTool(WaveformPanel& panel, Workbench& bench);

private:
    struct Found {
        measure::Envelope envelope;
        std::vector<measure::Beat> beats;
        QString problem; ///< instead of both; or empty
    };
    static Found foundIn(const ImagePixels& pixels);
    std::optional<std::size_t> sonogram() const; ///< number of its view
    void follow();
    void forget();
    void measure(std::shared_ptr<const ImagePixels> pixels);
    void show();
    void showBeats();
    void draw();

    WaveformPanel& m_panel;
    Workbench& m_bench;
    std::shared_ptr<const ImagePixels> m_measured;
    std::optional<Found> m_found; ///< of m_measured
    ShapesOverlay m_traces{Overlay::Layer::Course};
    bool m_busy = false;
    bool m_asks = false;
};

} // namespace echolux
