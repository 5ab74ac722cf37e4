// SPDX-License-Identifier: GPL-3.0-or-later
// Files that do not say what they hold, from the question to the file that opens.
#pragma once

#include "app/desktop/describe_look.hpp"
#include "app/desktop/workbench/background.hpp"
#include "ui/dialogs/describe_dialog.hpp"

#include <QObject>
#include <QTimer>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace echolux {

class DescribeDesk : public QObject {
    Q_OBJECT
public:
    /// `parent` owns the dialog.
    DescribeDesk(QWidget& parent, Background& background);

    /// Shows the dialog, which says that it reads until the file is read in the background.
    void ask(const QString& path);
    DescribeDialog* dialog() const { return m_dialog; } ///< null until asked

signals:
    void described();                            ///< openRecording() opens it now
    void keptElsewhere(const QString& sentence); ///< not beside it; comes before described()
    void failed(const QString& sentence);

private:
    using Kind = DescribeDialog::Kind;
    void makeDialog();
    void giveUp();
    void begin(DescribedFile file);
    template <class Do> void fill(const Do& what);
    void edited();
    void follow();
    void followBand();
    void look();
    bool takesRank(Description& as);
    void forgetRank(Kind kind);
    void show(const Look& look);
    void showSpectra(const std::vector<RawImport>& suggestions);
    void showChannels(const std::vector<ChannelImport>& suggestions);
    void showImages(const std::vector<ImageImport>& suggestions);
    bool& touched() { return m_touched[static_cast<std::size_t>(m_dialog->kind())]; }
    bool& complexOf(Kind kind) { return m_complex[static_cast<std::size_t>(kind)]; }
    bool complexOf(Kind kind) const { return m_complex[static_cast<std::size_t>(kind)]; }
    bool headerless() const { return m_file.container == nullptr; }
    std::uint64_t bytes() const { return m_file.file->size(); }
    /// Of the chosen kind. Throws Error where a list of numbers is none.
    Description description() const;
    void keep();
    void kept(const std::filesystem::path& place);

    QWidget& m_parent;
    Background& m_background;
    DescribeDialog* m_dialog = nullptr;
    QString m_path;
    DescribedFile m_file;         ///< empty while it is read
    std::uint64_t m_question = 0; ///< what belongs to another one comes too late
    QTimer m_settled;             ///< a moment after the last key
    bool m_looking = false;
    bool m_stale = false;                     ///< changed since the look under way began
    bool m_filling = false;                   ///< by the program, not by the user
    std::array<bool, 3> m_touched{};          ///< by the user, since the file was chosen; by kind
    Kind m_kind = Kind::Spectra;              ///< of which `m_touched` is told
    std::optional<RawImport> m_rankedSpectra; ///< that the suggestions were made for
    std::optional<ChannelImport> m_rankedChannels;
    std::optional<ImageImport> m_rankedImages;
    std::vector<std::int64_t> m_shape; ///< of the array of spectra that is chosen
    std::array<bool, 3> m_complex{};   ///< the chosen array's elements are I/Q pairs; by kind
    double m_bandCentre = 0.0;         ///< as a share of the sampling frequency; 0 = unknown
    double m_followedMHz = 0.0;        ///< the centre frequency that this gave
};

} // namespace echolux
