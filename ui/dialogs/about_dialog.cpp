// SPDX-License-Identifier: GPL-3.0-or-later
// Text of the about dialog.
#include "ui/dialogs/about_dialog.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QApplication>
#include <QVBoxLayout>

namespace echolux {

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setWindowTitle("About Echolux");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * kGrid, 3 * kGrid, 4 * kGrid, 3 * kGrid);
    layout->setSpacing(kGrid);
    const QString version = QApplication::applicationVersion();
    QLabel* name =
        makeLabel(version.isEmpty() ? "Echolux" : "Echolux " + version, LabelRole::Normal, this);
    QFont bold = baseFont();
    bold.setWeight(QFont::DemiBold);
    name->setFont(bold);
    layout->addWidget(name);
    layout->addWidget(new QLabel("Images with echoes of sound and of light, live.", this));
    layout->addWidget(makeLabel("Free software under the GNU General Public License, version 3 or "
                                "later. It comes with no warranty.\nNot a medical device.",
                                LabelRole::Secondary, this));
    layout->addWidget(makeLabel(QString("Built with Qt %1 and QCustomPlot.").arg(qVersion()),
                                LabelRole::Secondary, this));
}

} // namespace echolux
