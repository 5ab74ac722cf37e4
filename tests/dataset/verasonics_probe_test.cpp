// SPDX-License-Identifier: GPL-3.0-or-later
// Probes of Verasonics workspaces: units, faces, row-column arrays, and multiplexers.
#include "tests/dataset/verasonics_workspace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class VerasonicsProbes : public VerasonicsParts {
protected:
    void places(std::size_t columns, const std::vector<double>& values) {
        m_workspace.trans["ElementPos"] = [=] {
            return MatBuilder::array<double>(nullptr, {values.size() / columns, columns}, values);
        };
    }
    /// Transmits and acquisitions of two elements each, at apertures 1 and `second`.
    void takeTwoElements(double second) {
        for (auto& tx : m_workspace.tx) tx = {{"Delay", Workspace::row({0, 0})}};
        for (std::size_t i = 0; i < 2; ++i)
            m_workspace.tx[i]["aperture"] = Workspace::number(i == 0 ? 1 : second);
        for (std::size_t i = 0; i < 4; ++i) {
            m_workspace.receive[i]["Apod"] = Workspace::row({1, 1});
            m_workspace.receive[i]["aperture"] = Workspace::number(i % 2 == 0 ? 1 : second);
        }
    }
    void multiplexer(const std::vector<double>& channels) {
        m_workspace.trans["HVMux"] = [=] {
            return MatBuilder::structure(
                nullptr, {{"Aperture", MatBuilder::array<double>(nullptr, {4, channels.size() / 4},
                                                                 channels)}});
        };
    }
};

TEST_F(VerasonicsProbes, UnitsAreStatedOrToldByTheSpacing) {
    constexpr double kWavelength = 1540.0 / 5e6;
    m_workspace.trans.erase("units");
    {
        const auto recording = open();
        EXPECT_NEAR(recording->info().frame.acquisition->probe.pitchM, 0.3e-3, 1e-12);
        EXPECT_THAT(recording->info().warnings, Contains(HasSubstr("mm are assumed")));
    }
    m_workspace.trans["spacing"] = Workspace::number(0.3e-3 / kWavelength); // always wavelengths
    EXPECT_NEAR(acquisition()->probe.pitchM, 0.3e-3, 1e-12);
    m_workspace.trans["spacing"] = Workspace::number(0.3);
    {
        const auto recording = open();
        EXPECT_NEAR(recording->info().frame.acquisition->probe.pitchM, 0.3 * kWavelength, 1e-12);
        EXPECT_THAT(recording->info().warnings,
                    Contains(AllOf(HasSubstr("wavelengths are"), HasSubstr("its spacing says"))));
    }
    m_workspace.trans["units"] = Workspace::text("furlongs");
    EXPECT_THAT(refusal(), HasSubstr("Trans.units is 'furlongs'"));
}

TEST_F(VerasonicsProbes, FactsOfElementsAreKept) {
    m_workspace.trans["elementWidth"] = Workspace::number(0.25);
    m_workspace.trans["elevationApertureMm"] = Workspace::number(5);
    m_workspace.trans["elevationFocusMm"] = Workspace::number(20);
    m_workspace.trans["Bandwidth"] = Workspace::row({3.5, 6.5});
    {
        const auto found = acquisition();
        EXPECT_NEAR(found->probe.elementWidthM, 0.25e-3, 1e-12);
        EXPECT_NEAR(found->probe.elementHeightM, 5e-3, 1e-12);
        EXPECT_NEAR(found->probe.elevationFocusM, 20e-3, 1e-12);
        EXPECT_NEAR(found->probe.fractionalBandwidth, 0.6, 1e-12);
    }
    for (const std::vector<double>& band : {std::vector{6.5, 3.5}, {-3.5, 6.5}, {5.0}}) {
        m_workspace.trans["Bandwidth"] = Workspace::row(band);
        EXPECT_EQ(acquisition()->probe.fractionalBandwidth, 0.0);
    }
}

TEST_F(VerasonicsProbes, MatrixElementsMayLookAside) {
    m_workspace.trans["type"] = Workspace::number(2);
    const std::vector<double> grid{-0.3, 0.3, -0.3, 0.3, -0.3, -0.3, 0.3, 0.3, 0, 0, 0, 0};
    places(3, grid);
    EXPECT_TRUE(acquisition()->probe.normals.empty());
    std::vector<double> turned = grid;
    turned.insert(turned.end(), {0, 0, 0, 0.1, 0, 0, 0, 0.2}); // azimuth, elevation
    places(5, turned);
    const auto found = acquisition();
    ASSERT_EQ(found->probe.normals.size(), 4U);
    EXPECT_NEAR(found->probe.normals[0].z, 1.0, 1e-12);
    EXPECT_NEAR(found->probe.normals[3].x, std::sin(0.1) * std::cos(0.2), 1e-12);
    EXPECT_NEAR(found->probe.normals[3].y, std::sin(0.2), 1e-12);
    EXPECT_NEAR(found->probe.normals[3].z, std::cos(0.1) * std::cos(0.2), 1e-12);
}

TEST_F(VerasonicsProbes, RowsAndColumnsAreLong) {
    m_workspace.trans["type"] = Workspace::number(4);
    places(3, {-0.15, 0.15, 0, 0, 0, 0, -0.15, 0.15, 0, 0, 0, 0});
    m_workspace.tx[0]["Apod"] = Workspace::row({1, 1, 0, 0});
    m_workspace.tx[1]["Apod"] = Workspace::row({0, 0, 1, 1});
    EXPECT_THAT(acquisition()->probe.longAxes, ElementsAre(LongAxis::Elevation, LongAxis::Elevation,
                                                           LongAxis::Lateral, LongAxis::Lateral));
}

TEST_F(VerasonicsProbes, AMultiplexerSwitchesElementsToChannels) {
    takeTwoElements(2);
    multiplexer({2, 1, 0, 0, 0, 0, 1, 2});
    const auto recording = open();
    const auto& found = *recording->info().frame.acquisition;
    EXPECT_THAT(found.receiveElements, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(found.transmits[0].apodization, ElementsAre(1, 1, 0, 0));
    EXPECT_THAT(found.transmits[1].apodization, ElementsAre(0, 0, 1, 1));
    const auto values = frameOf(*recording); // rows of 10 samples, columns of 20 rows
    EXPECT_EQ(values[0], 20.0) << "element 1 is at channel 2";
    EXPECT_EQ(values[10], 0.0);
    EXPECT_EQ(values[20], 10.0) << "element 3 is at channel 1";
}

TEST_F(VerasonicsProbes, ATableOfAnotherSizeSwitchesNothing) {
    takeTwoElements(3);
    m_workspace.trans["HVMux"] = [] {
        return MatBuilder::structure(nullptr, {{"Aperture", MatBuilder::row({1, 2})}});
    };
    EXPECT_THAT(acquisition()->receiveElements, ElementsAre(0, 1, 2, 3));
    m_workspace.trans["HVMux"] = [] {
        return MatBuilder::structure(nullptr, {{"Type", MatBuilder::number(1)}});
    };
    EXPECT_THAT(acquisition()->receiveElements, ElementsAre(0, 1, 2, 3));
}

TEST_F(VerasonicsProbes, ProbesThatCannotBeAreRefused) {
    const Workspace sound = m_workspace;
    m_workspace.trans.erase("ElementPos");
    EXPECT_THAT(refusal(), HasSubstr("Trans.ElementPos is missing"));
    places(2, {0, 0, 0, 0, 0, 0, 0, 0});
    EXPECT_THAT(refusal(), HasSubstr("a row of x, y, z"));
    places(9, std::vector<double>(36));
    EXPECT_THAT(refusal(), HasSubstr("a row of x, y, z"));
    m_workspace.trans["ElementPos"] = Workspace::text("everywhere");
    EXPECT_THAT(refusal(), HasSubstr("a row of x, y, z"));
    m_workspace = sound;
    m_workspace.trans["frequency"] = Workspace::number(0);
    EXPECT_THAT(refusal(), HasSubstr("no positive number"));
    for (const double type : {-1.0, 1.5, 9.0}) {
        m_workspace = sound;
        m_workspace.trans["type"] = Workspace::number(type);
        EXPECT_THAT(refusal(), HasSubstr("known are 0 (linear)"));
    }
    m_workspace = sound;
    m_workspace.trans["Connector"] = Workspace::row({1, 2, 3, 4, 5});
    EXPECT_THAT(refusal(), AllOf(HasSubstr("has 5 entries"), HasSubstr("ElementPos 4")));
}

} // namespace
} // namespace echolux::test
