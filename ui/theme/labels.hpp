// SPDX-License-Identifier: GPL-3.0-or-later
// Labels in the theme's inks and sizes.
#pragma once

#include <QLabel>

namespace echolux {

enum class LabelRole { Normal, Secondary, Warning, Error };

/// Sets the ink. The style sheet keeps it in step with the theme.
void setRole(QLabel* label, LabelRole role);
QLabel* makeLabel(const QString& text, LabelRole role, QWidget* parent);

/// One line that ends in an ellipsis where space is too narrow. The tooltip then shows the full
/// text.
class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    QString fullText() const { return m_full; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void elide();
    QString m_full;
};

} // namespace echolux
