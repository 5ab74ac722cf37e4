// SPDX-License-Identifier: GPL-3.0-or-later
// The picked column of an image.
#pragma once

#include "ui/views/overlay/overlay.hpp"

#include <optional>

namespace echolux {

class ColumnOverlay : public Overlay {
public:
    ColumnOverlay() : Overlay(Layer::Column) {}

    void show(std::optional<double> lateral); ///< in the unit of the lateral axis; null: none
    std::optional<double> lateral() const { return m_lateral; }
    /// Whether copied and saved pictures have it. The screen always shows it.
    void setInPictures(bool shown) { m_inPictures = shown; }

    void paint(QPainter& painter, const OverlayPlace& place) override;

private:
    std::optional<double> m_lateral;
    bool m_inPictures = true;
};

} // namespace echolux
