// SPDX-License-Identifier: GPL-3.0-or-later
// Files that do not say what they hold, from the question to the file that opens.
#pragma once

#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/desktop/background.hpp"
#include "ui/dialogs/describe_dialog.hpp"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <optional>

namespace echolux {

class DescribeDesk : public QObject {
    Q_OBJECT
public:
    /// `parent` owns the dialog.
    DescribeDesk(QWidget& parent, Background& background);

    void ask(const QString& path);
    DescribeDialog* dialog() const { return m_dialog; } ///< null until asked

signals:
    void described();                            ///< openRecording() opens it now
    void keptElsewhere(const QString& sentence); ///< not beside it; comes before described()
    void failed(const QString& sentence);

private:
    using Kind = DescribeDialog::Kind;
    struct Look;
    void makeDialog();
    void begin();
    void beginFrom(const ChannelImport& kept);
    void edited();
    void follow();
    void followBand();
    void look();
    void show(const Look& look);
    void showSpectra(const std::vector<RawImport>& suggestions);
    void showChannels(const std::vector<ChannelImport>& suggestions);
    RawImport spectraImport() const;
    /// Throws Error where a list of numbers is none.
    ChannelImport channelImport() const;
    void keep();

    QWidget& m_parent;
    Background& m_background;
    DescribeDialog* m_dialog = nullptr;
    QString m_path;
    std::uint64_t m_bytes = 0;
    bool m_headerless = true;
    QTimer m_settled; ///< a moment after the last key
    bool m_looking = false;
    bool m_stale = false;                   ///< changed since the look under way began
    std::optional<RawImport> m_ranked;      ///< that the suggestions were made for
    std::optional<ChannelImport> m_guessed; ///< the same of channel data
    bool m_touched = false;                 ///< by the user, since the file was chosen
    std::vector<std::int64_t> m_shape;      ///< of the array of spectra that is chosen
    bool m_complex = false;                 ///< the chosen array's elements are I/Q pairs
    double m_bandCentre = 0.0;              ///< as a share of the sampling frequency; 0 = unknown
    double m_followedMHz = 0.0;             ///< the centre frequency that this gave
};

} // namespace echolux
