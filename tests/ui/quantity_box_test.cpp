// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of dialogs take units as fields of parameters do.
#include "tests/support/qt_application.hpp"
#include "ui/controls/quantity_box.hpp"
#include "ui/dialogs/form_parts.hpp"

#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

#include <memory>

namespace echolux {
namespace {

/// A field as a form makes it, with what a user types into it.
struct TypedFact {
    QApplication& qt = testing_support::application();
    std::unique_ptr<QDoubleSpinBox> box;
    QSignalSpy refusals;

    TypedFact(double most, double value, const char* unit)
        : box(makeFact(most, value, unit, nullptr)),
          refusals(qobject_cast<QuantityBox*>(box.get()), &QuantityBox::refused) {
        box->show();
    }
    double after(const char* text) {
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box.get(), text);
        QTest::keyClick(box.get(), Qt::Key_Return);
        return box->value();
    }
    QString refusal() const {
        return refusals.isEmpty() ? QString() : refusals.last().at(0).toString();
    }
};

TEST(QuantityBox, ConvertsUnitsOfItsKind) {
    EXPECT_DOUBLE_EQ(TypedFact(15e3, 1540.0, "m/s").after("5.9 km/s"), 5900.0);
    EXPECT_DOUBLE_EQ(TypedFact(15e3, 1540.0, "m/s").after("1450"), 1450.0);
    EXPECT_DOUBLE_EQ(TypedFact(100.0, 0.0, "mm").after("600 um"), 0.6);
    EXPECT_DOUBLE_EQ(TypedFact(100.0, 0.0, "mm").after("0,3"), 0.3);
    EXPECT_DOUBLE_EQ(TypedFact(1e4, 0.0, "MHz").after("50e6 Hz"), 50.0);
    EXPECT_DOUBLE_EQ(TypedFact(1e4, 0.0, "MHz").after("312.5kHz"), 0.3125);
    EXPECT_DOUBLE_EQ(TypedFact(1e6, 0.0, "Hz").after("2 kHz"), 2000.0);
    EXPECT_DOUBLE_EQ(TypedFact(1e4, 0.0, "nm").after("1.31 um"), 1310.0);
}

TEST(QuantityBox, KeepsItsValueWhereATextIsNotTaken) {
    TypedFact speed(15e3, 1540.0, "m/s");
    EXPECT_DOUBLE_EQ(speed.after("5.9 km"), 1540.0);
    EXPECT_EQ(speed.refusal(), "\"5.9 km\" was not taken: \"km\" cannot be turned into m/s.");
    TypedFact sampling(1e4, 20.0, "MHz");
    EXPECT_DOUBLE_EQ(sampling.after("50e6"), 20.0);
    EXPECT_EQ(sampling.refusal(), "\"50e6\" was not taken: it lies beyond 0 to 10000 MHz.");
    EXPECT_DOUBLE_EQ(sampling.after("fast"), 20.0);
    EXPECT_EQ(sampling.refusal(), "\"fast\" was not taken: it is no number.");
}

TEST(QuantityBox, KnowsUnknown) {
    TypedFact pitch(100.0, 0.0, "mm");
    EXPECT_EQ(pitch.box->text(), "unknown");
    EXPECT_DOUBLE_EQ(pitch.after("0.3"), 0.3);
    EXPECT_DOUBLE_EQ(pitch.after("0"), 0.0);
    EXPECT_EQ(pitch.box->text(), "unknown");
    EXPECT_TRUE(pitch.refusals.isEmpty());
}

TEST(QuantityBox, TellsOfEachNumberOnceItIsWhole) {
    TypedFact pitch(100.0, 0.0, "mm");
    QSignalSpy values(pitch.box.get(), &QDoubleSpinBox::valueChanged);
    pitch.after("600 um");
    ASSERT_EQ(values.count(), 1);
    EXPECT_DOUBLE_EQ(values.last().at(0).toDouble(), 0.6);
}

} // namespace
} // namespace echolux
