// SPDX-License-Identifier: GPL-3.0-or-later
// The look of the window in one place: colour tokens of the dark and the light theme, palette,
// style sheet, fonts, icons, and the palette of plot lines.
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QString>

#include <string>

namespace echolux {

enum class ThemeKind { Dark, Light };

struct ThemeTokens {
    QColor window, panel, raised, field;     ///< surfaces, from the back to the front
    QColor line, edge;                       ///< separators; borders of controls
    QColor text, secondary, disabled;        ///< ink
    QColor accent, onAccent, warning, error; ///< states; onAccent is the ink on accent
    QColor hover, pressed, checked;          ///< surfaces of buttons
    QColor surround;                         ///< around the image
};

/// The layout uses multiples of this many device-independent pixels, or halves of it.
constexpr int kGrid = 8;

/// The theme in use. Widgets that paint read tokens() while painting, and repaint on changed().
class Theme : public QObject {
    Q_OBJECT
public:
    static Theme& instance();
    /// Sets style, palette, style sheet and font of the QApplication.
    void apply(ThemeKind kind);
    /// Applies the theme in use if none has been applied yet.
    void ensureApplied();
    ThemeKind kind() const { return m_kind; }
    const ThemeTokens& tokens() const { return m_tokens; }

signals:
    void changed();

private:
    Theme();
    ThemeKind m_kind = ThemeKind::Dark;
    bool m_applied = false;
    ThemeTokens m_tokens;
};

/// Tokens of the theme in use.
const ThemeTokens& tokens();
/// Tokens for drawing on the image's surround, which is black in both themes.
const ThemeTokens& surroundTokens();
/// The two sizes of the font. All digits have the same width, so that numbers do not jump.
QFont baseFont();
QFont smallFont();
/// For text in columns of characters.
QFont fixedFont();
/// Okabe-Ito colour of plot line `index`, in an order that is legible on the panel.
QColor plotColour(int index);
/// `colour` with its opacity set to `alpha` (0 to 1).
QColor withAlpha(QColor colour, double alpha);
/// An icon of resources/icons. It is drawn in the colours of the theme at the time of painting.
QIcon themeIcon(const QString& name);
/// The same, always in one token.
QIcon themeIcon(const QString& name, QColor ThemeTokens::*ink);
/// Symbol of a unit as parameter tables write it: "us" becomes "µs", "deg" becomes the degree sign.
QString prettyUnit(const std::string& unit);

} // namespace echolux
