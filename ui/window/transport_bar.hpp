// SPDX-License-Identifier: GPL-3.0-or-later
// The bar that opens and plays recordings. Its actions have texts, icons and keys, also for menus
// and the sheet of shortcuts.
#pragma once

#include <QToolBar>

#include <vector>

class QAction;
class QLabel;
class QLineEdit;

namespace echolux {

class ComboBox;
class SeekBar;
struct SeekMark;

class TransportBar : public QToolBar {
    Q_OBJECT
public:
    static constexpr double kUnpaced = 0.0; ///< speed "max": as fast as possible

    struct Actions {
        QAction *open, *first, *stepBack, *play, *stepForward, *last, *loop, *slower, *faster,
            *goTo, *markBack, *markForward, *playFrom, *playTo, *playAll, *screenshot, *record,
            *mark;
        std::vector<QAction*> all() const;
    };

    explicit TransportBar(QWidget* parent = nullptr);
    const Actions& actions() const { return m_actions; }

    /// `count` 0: nothing is open, and everything but "Open" is disabled. 1: there is nothing to
    /// play.
    void setFrame(qint64 index, qint64 count);
    void setPlaying(bool playing);
    void setLoop(bool loop);
    void setSpeed(double factor); ///< kUnpaced: as fast as possible
    /// Frames per second at speed 1; 0: there is nothing to play. `ofDevice`: how many it recorded,
    /// where those are more than a screen shows.
    void setRecordedRate(double framesPerSecond, double ofDevice = 0.0);
    /// Rate that playback reaches at present.
    void setReachedRate(double framesPerSecond);
    QString rateText() const;
    bool isPlaying() const { return m_playing; }
    double speed() const { return m_speed; }
    SeekBar* seekSlider() const { return m_seek; }
    QLineEdit* frameField() const { return m_frame; }
    /// Frames to play, both ends included; emits no signal. All frames are played after setFrame()
    /// with another count.
    void setPart(qint64 first, qint64 last);
    QString frameText() const;
    /// A live source: frames come by themselves, so they have neither a speed nor a loop. While
    /// frozen the slider shows the frames that are kept in memory.
    void setLive(bool live);
    /// Of the recording, in the order of their frames.
    void setMarks(const QList<SeekMark>& marks);
    void setRecording(bool recording); ///< a live source is being recorded

signals:
    void openRequested();
    void playToggled(bool play);
    void stepRequested(int frames); ///< -1 or +1
    void seekRequested(qint64 index);
    void loopToggled(bool loop);
    void speedChosen(double factor); ///< kUnpaced: as fast as possible
    void screenshotRequested();
    void recordToggled(bool record);
    void markRequested();
    void partChosen(qint64 first, qint64 last); ///< frames to play, both ends included

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void goToMark(int places); ///< -1: the former one; 1: the next one
    void takeFrame();
    QString numberOfFrame() const;
    void choosePart(qint64 first, qint64 last);
    void makeActions();
    void makeWidgets();
    void showPlaying();
    void showFrame();
    void showRate();
    void changeSpeed(int places);
    void enableActions();

    Actions m_actions{};
    SeekBar* m_seek = nullptr;
    QLineEdit* m_frame = nullptr;
    QLabel* m_frames = nullptr;
    QLabel* m_rate = nullptr;
    ComboBox* m_speedBox = nullptr;
    bool m_playing = false;
    bool m_live = false;
    double m_speed = 1.0;
    double m_recordedRate = 0.0; ///< frames per second at speed 1
    double m_deviceRate = 0.0;   ///< the same as recorded, at least m_recordedRate
    double m_reachedRate = 0.0;
    qint64 m_index = 0;
    qint64 m_count = -1;
};

} // namespace echolux
