// SPDX-License-Identifier: GPL-3.0-or-later
// Asks how a file that does not describe itself is stored, until the file can be opened.
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
#include <tuple>
#include <vector>

namespace echolux {

class DescribeDesk : public QObject {
    Q_OBJECT
public:
    /// `parent` owns the dialog.
    DescribeDesk(QWidget& parent, Background& background);

    /// Shows the dialog. The file is read in the background; meanwhile the dialog says so.
    void ask(const QString& path);
    DescribeDialog* dialog() const { return m_dialog; } ///< null until asked

signals:
    void described(); ///< openRecording() can open the file now
    /// The description is not beside the file; emitted before described().
    void informed(const QString& sentence);
    void failed(const QString& sentence);

private:
    using Kind = DescribeDialog::Kind;
    void makeDialog();
    void giveUp();
    void begin(DescribedFile file);
    template <class Do> void fill(const Do& what);
    void edited();
    void follow();
    bool isEstimated(double centreHz) const;
    void followBand();
    void look();
    bool takesRank(Description& as);
    void forgetRank(Kind kind);
    void show(const DescribedLook& look);
    template <class Import> void showGuesses(const std::vector<Import>& guesses);
    void showOrders(const std::vector<OrderPreview>& orders);
    bool& touched() { return m_touched[static_cast<std::size_t>(m_dialog->kind())]; }
    bool headerless() const { return m_file.container == nullptr; }
    std::uint64_t bytes() const { return m_file.file->size(); }
    template <class Import> Import& storageOf();
    /// Description of the chosen kind. Throws Error where a field cannot be read.
    Description description() const;
    void keep();
    void kept(const std::filesystem::path& place);

    QWidget& m_parent;
    Background& m_background;
    DescribeDialog* m_dialog = nullptr;
    QString m_path;
    DescribedFile m_file; ///< empty while it is read
    /// Number of the current question; results of earlier ones are dropped.
    std::uint64_t m_question = 0;
    QTimer m_settled{this}; ///< fires a moment after the last key
    bool m_looking = false;
    bool m_stale = false;   ///< the form changed since the running look began
    bool m_filling = false; ///< the program fills the form, not the user
    /// Per kind: the user changed the form since the file was chosen.
    std::array<bool, 3> m_touched{};
    Kind m_kind = Kind::Spectra; ///< kind at the latest change of the form
    /// Descriptions that the suggestions belong to.
    std::tuple<std::optional<RawImport>, std::optional<ChannelImport>, std::optional<ImageImport>>
        m_ranked;
    Description m_storage;     ///< how the file is stored, which the forms do not ask
    double m_bandCentre = 0.0; ///< as a share of the sampling frequency; 0 = unknown
    double m_followedHz = 0.0; ///< centre frequency computed from m_bandCentre
};

} // namespace echolux
