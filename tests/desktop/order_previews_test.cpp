// SPDX-License-Identifier: GPL-3.0-or-later
// What changes from frame to frame, in each order of the axes: closed forms, and the dialog's
// buttons.
#include "app/desktop/describe_desk.hpp"
#include "app/desktop/order_previews.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/dialogs/describe_dialog.hpp"

#include <QTemporaryDir>
#include <QToolButton>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::writeFile;

constexpr int kFrames = 8;
constexpr int kRows = 40;
constexpr int kColumns = 30;

bool flowsAt(int row, int column) { return column >= 10 && column < 15 && row >= 20; }

/// Still texture. In a patch the values change by 100, and beside it by 1.
QByteArray patch() {
    QByteArray bytes;
    for (int n = 0; n < kFrames; ++n)
        for (int row = 0; row < kRows; ++row)
            for (int column = 0; column < kColumns; ++column) {
                int value = 10 + (row * 7 + column * 11) % 60;
                if (flowsAt(row, column)) value = n % 2 == 0 ? 10 : 110;
                if (column == 20) value = n % 2 == 0 ? 10 : 11;
                bytes.append(static_cast<char>(static_cast<unsigned char>(value)));
            }
    return bytes;
}

ImageImport described(std::vector<ImportAxis> axes) {
    ImageImport import;
    import.type = ElementType{};
    import.form = RecordedForm::Picture;
    import.axes = std::move(axes);
    return import;
}

TEST(OrderPreviews, ShowThePowerOfWhatChanges) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("patch.bin");
    writeFile(path, patch());
    const auto file = std::make_shared<const InputFile>(path.toStdString());
    ImageImport import = described(
        {{ArrayAxis::Frame, -1}, {ArrayAxis::Depth, kRows}, {ArrayAxis::Lateral, kColumns}});
    import.type = guessElementType(*file);
    const auto orders = orderPreviews(file, nullptr, import);
    ASSERT_EQ(orders.size(), 6U);
    EXPECT_EQ(orders[0].import, import) << "its own order comes first";
    EXPECT_EQ(orders[0].text, "frame, depth, line");
    const QImage& power = orders[0].power;
    ASSERT_EQ(power.size(), QSize(kColumns, kRows));
    for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column)
            ASSERT_EQ(power.constScanLine(row)[column], flowsAt(row, column) ? 255 : 0)
                << row << " " << column << ": 1 / 100 is 40 dB below";
    for (const OrderPreview& order : orders)
        if (order.text == "frame, line, depth") {
            EXPECT_EQ(order.power.size(), QSize(kRows, kColumns)) << "40 lines of 30 depths";
        }
}

TEST(OrderPreviews, OneFrameOrAMissingAxisHasNone) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("one.bin");
    writeFile(path, patch().left(kRows * kColumns));
    const auto file = std::make_shared<const InputFile>(path.toStdString());
    ImageImport import = described({{ArrayAxis::Depth, kRows}, {ArrayAxis::Lateral, kColumns}});
    import.type = guessElementType(*file);
    EXPECT_TRUE(orderPreviews(file, nullptr, import).empty());
}

TEST(OrderPreviews, AClickInTheDialogChoosesTheOrder) {
    OpenWindow window;
    const QTemporaryDir folder;
    const QString path = folder.filePath("patch.bin");
    writeFile(path, patch());
    window.desktop.importer().ask(path);
    const auto dialog = [&] { return window.desktop.importer().dialog(); };
    ASSERT_TRUE(comesTrue(
        [&] { return dialog() != nullptr && dialog()->isVisible() && !dialog()->isBusy(); }));
    dialog()->setKind(DescribeDialog::Kind::Images);
    const FormValues form{{"dtype", "|u1"},
                          {"axes", "frame,depth,lateral"},
                          {"shape", QString("-1,%1,%2").arg(kRows).arg(kColumns)}};
    dialog()->form().setValues(form);
    ASSERT_TRUE(comesTrue([&] {
        return dialog()->orderButtons().size() == 6 &&
               dialog()->form().values()["axes"] == form["axes"] &&
               dialog()->orderButtons().front()->isChecked();
    })) << dialog()->captionText().toStdString();
    QToolButton* other = dialog()->orderButtons()[1];
    const QString text = other->text();
    other->click();
    EXPECT_NE(dialog()->form().values()["axes"], form["axes"]);
    EXPECT_TRUE(comesTrue([&] {
        const auto buttons = dialog()->orderButtons();
        return !buttons.empty() && buttons.front()->text() == text && buttons.front()->isChecked();
    })) << "the chosen order comes first";
}

} // namespace
} // namespace echolux
