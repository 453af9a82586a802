// Saves the last good state after commits, at most twice a second.
import GameConfCore
import Synchronization

/// The thread that saves the last good state, so that `last-good.json` is at most a second behind the commits.
final class LastGoodKeeper: Sendable {
  /// The state of the file `last-good.json`, for the store's health.
  struct FileStatus: Sendable {
    var savedAt: Instant?
    var fault: String?
    var isBehind = false
  }

  private struct GuardedState {
    var fileStatus: FileStatus
    var isStopped = false
    var hasStopped = false
    var changes = 0
    var saved = 0
    /// True if a failed save was reported and none has succeeded since.
    var isFaultReported = false
  }

  private let lastGood: any LastGood
  private let state: @Sendable () -> LastGoodState?
  private let faultChanged: @Sendable () -> Void
  private let guarded: Monitor<GuardedState>
  private let times: StoreTiming
  /// Serializes saves: all write the same temporary file, and an older state must not replace a newer one.
  private let saving = Mutex(())

  /// - Parameters:
  ///   - faultChanged: Called when a save fails after a success, and when one succeeds after a failure.
  ///   - state: Returns the state to save, or nil to save nothing; called on the keeper's thread.
  init(
    _ lastGood: any LastGood, fileStatus: FileStatus, times: StoreTiming, faultChanged: @escaping @Sendable () -> Void = {},
    state: @escaping @Sendable () -> LastGoodState?
  ) {
    self.faultChanged = faultChanged
    self.lastGood = lastGood
    self.state = state
    self.times = times
    guarded = Monitor(GuardedState(fileStatus: fileStatus))
    let isStarted = WorkerThread.start { [weak self] in
      while let keeper = self, keeper.step() {}
    }
    if !isStarted { guarded.change { ($0.hasStopped, $0.fileStatus.fault) = (true, "no thread could be started to write it") } }
  }

  var fileStatus: FileStatus {
    guarded.change { guarded in
      var fileStatus = guarded.fileStatus
      fileStatus.isBehind = guarded.saved != guarded.changes
      return fileStatus
    }
  }

  /// Records that a change was committed.
  func noteChange() { guarded.change { $0.changes += 1 } }

  /// Saves pending changes and ends the thread.
  func stop() {
    guarded.change { $0.isStopped = true }
    guarded.wait { $0.hasStopped ? () : nil }
  }

  /// Saves now, on the caller's thread.
  func save() { saving.withLock { _ in saveAlone() } }

  private func saveAlone() {
    let changes = guarded.change { $0.changes }
    guard let state = state() else { return guarded.change { $0.saved = changes } }
    do throws(StateFault) {
      try lastGood.store(state)
      guarded.change { guarded in
        guarded.saved = max(guarded.saved, changes)
        guarded.fileStatus.savedAt = state.savedAt
        guarded.fileStatus.fault = nil
      }
      report(isFault: false)
    } catch {
      guarded.change { $0.fileStatus.fault = "\(error.path) \(error.message)" }
      report(isFault: true)
    }
  }

  private func report(isFault: Bool) {
    let isNew = guarded.change { guarded in
      defer { guarded.isFaultReported = isFault }
      return guarded.isFaultReported != isFault
    }
    if isNew { faultChanged() }
  }

  private func step() -> Bool {
    let isStopped = guarded.wait { guarded in guarded.saved != guarded.changes || guarded.isStopped ? guarded.isStopped : nil }
    if guarded.change({ $0.saved != $0.changes }) { save() }
    if isStopped {
      guarded.change { $0.hasStopped = true }
      return false
    }
    let pause = guarded.change { $0.fileStatus.fault == nil ? times.lastGoodPause : times.lastGoodRetry }
    _ = guarded.wait(milliseconds: pause) { $0.isStopped ? () : nil }
    return true
  }
}
