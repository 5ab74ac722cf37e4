// SPDX-License-Identifier: GPL-3.0-or-later
// Short texts in a strip along the lower edge of an image, for example its figures.
#pragma once

#include "ui/views/overlay/overlay.hpp"

#include <QStringList>

namespace echolux {

/// The strip lies on the image, which keeps its size. It is one to three lines high. Texts that
/// find no room there are left out, and dots say so. A text that is wider than the image is parted
/// at its commas.
class CaptionOverlay : public Overlay {
public:
    CaptionOverlay() : Overlay(Layer::Caption) {}

    void show(const QStringList& texts); ///< without texts there is no strip
    const QStringList& texts() const { return m_texts; }

    void paint(QPainter& painter, const OverlayPlace& place) override;
    double takenBelow(const OverlayPlace& place) const override;

private:
    struct Laid {
        QFont font;
        QStringList lines;
        double height = 0.0; ///< of the strip; 0: the image is too low for one
    };
    Laid laidOut(const OverlayPlace& place) const;

    QStringList m_texts;
};

} // namespace echolux
