// SPDX-License-Identifier: GPL-3.0-or-later
// Screenshots: the settings survive the way to the file and back; foreign and damaged pictures are
// refused.
#include "app/desktop/screenshot.hpp"
#include "gpu/core/error.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux {
namespace {

ScreenshotRecord sample() {
    ScreenshotRecord record;
    record.sourceName = "phantom.h5";
    record.sourceSha256 = "abc123";
    record.frame = 17;
    record.bscan = 3;
    record.backend = "CPU, 2 threads";
    record.pipeline.name = "test";
    record.pipeline.stages = {{"to_float", "to_float", false, {{"scale", 2.5}}},
                              {"dc", "dc_removal", true, {}}};
    record.display.colourMap = "viridis";
    record.display.inverted = true;
    record.display.min = -47.5;
    record.views = {{"mean", true}, {"depth_window", QVariantList{0.125, 0.5}}};
    return record;
}

std::string refusal(const QString& path) {
    try {
        readScreenshot(path);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Screenshot, SettingsSurvive) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("shot.png");
    QImage image(40, 30, QImage::Format_RGB32);
    image.fill(Qt::darkCyan);
    saveScreenshot(path, image, sample());
    EXPECT_EQ(QImage(path).size(), image.size());
    const ScreenshotRecord back = readScreenshot(path);
    EXPECT_EQ(back.sourceName, "phantom.h5");
    EXPECT_EQ(back.sourceSha256, "abc123");
    EXPECT_EQ(back.frame, 17);
    EXPECT_EQ(back.bscan, 3);
    ASSERT_EQ(back.pipeline.stages.size(), 2U);
    EXPECT_EQ(back.pipeline.stages[0].values, sample().pipeline.stages[0].values);
    EXPECT_EQ(back.pipeline.stages[1].id, "dc");
    EXPECT_TRUE(back.pipeline.stages[1].bypass);
    EXPECT_EQ(back.display.colourMap, "viridis");
    EXPECT_TRUE(back.display.inverted);
    EXPECT_EQ(back.display.min, -47.5);
    EXPECT_EQ(back.views, sample().views);
}

TEST(Screenshot, RefusesForeignDamagedAndMissingFiles) {
    const QTemporaryDir folder;
    const QString plain = folder.filePath("plain.png");
    QImage image(8, 8, QImage::Format_RGB32);
    image.fill(Qt::black);
    ASSERT_TRUE(image.save(plain));
    EXPECT_THAT(refusal(plain), testing::HasSubstr("carries no Echolux settings"));

    const QString cut = folder.filePath("cut.png");
    saveScreenshot(cut, image, sample());
    QFile file(cut);
    ASSERT_TRUE(file.resize(40));
    EXPECT_THAT(refusal(cut), testing::HasSubstr("cut.png is not a picture"));

    // Qt packs long texts. Each may take 8 MB, however short it is in the file.
    const QString texts = folder.filePath("texts.png");
    for (int i = 0; i < 300; ++i) image.setText(QString::number(i), QString(100, 'x'));
    ASSERT_TRUE(image.save(texts));
    EXPECT_THAT(refusal(texts), testing::HasSubstr("more packed texts than any screenshot"));
    EXPECT_FALSE(isScreenshot(texts));

    EXPECT_THAT(refusal(folder.filePath("nowhere.png")), testing::HasSubstr("nowhere.png"));
    EXPECT_THROW(saveScreenshot(folder.filePath("no/such/folder.png"), image, sample()), Error);
}

} // namespace
} // namespace echolux
