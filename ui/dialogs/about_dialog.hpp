// SPDX-License-Identifier: GPL-3.0-or-later
// Name, version, licence.
#pragma once

#include <QDialog>

namespace echolux {

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent = nullptr);
};

} // namespace echolux
