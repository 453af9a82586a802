// Looks for what other daemons change: twice a second, and at once when one says so.
import GameConfEngine
import Glibc

/// A thread that looks at the stamps of games over a connection of its own.
final class PostgresFollower: Sendable {
  /// How long a change of another daemon may go unseen where its announcement is lost.
  static let lookMilliseconds: Int32 = 500

  private let settings: PostgresSettings
  private let guarded = Monitor((isStopped: false, hasStopped: false))
  private let looks: @Sendable () -> Void
  private let finds: @Sendable () -> Void
  private let meets: @Sendable (PostgresError) -> Void

  /// - Parameters:
  ///   - looks: called at each look, and each time that the database is looked for.
  ///   - finds: told that a stamp has changed, also by this daemon itself.
  ///   - meets: told when the connection failed.
  init(
    _ settings: PostgresSettings, looks: @escaping @Sendable () -> Void, finds: @escaping @Sendable () -> Void,
    meets: @escaping @Sendable (PostgresError) -> Void
  ) {
    self.settings = settings
    self.looks = looks
    self.finds = finds
    self.meets = meets
    let isStarted = WorkerThread.start { [weak self] in
      while let follower = self, follower.follow() {}
    }
    if !isStarted { guarded.change { $0.hasStopped = true } }
  }

  /// Ends the thread.
  func stop() {
    guarded.change { $0.isStopped = true }
    guarded.wait { $0.hasStopped ? () : nil }
  }

  private var isStopped: Bool { guarded.change { $0.isStopped } }

  /// One connection's life.
  /// - Returns: whether another is to follow.
  private func follow() -> Bool {
    do throws(PostgresError) {
      let connection = try PostgresConnection(settings, for: .following)
      defer { connection.close() }
      connection.patienceMilliseconds = settings.patienceMilliseconds
      if settings.listens { _ = try connection.round([PostgresCommand("LISTEN \(PostgresSession.channel)")]) }
      var known: [String: GameStamp]?
      while !isStopped {
        looks()
        let stamps = PostgresSession.stamps(try connection.round([PostgresSession.stampsQuery])[0])
        if known != stamps { finds() }
        known = stamps
        _ = try connection.announcements()
        var polled = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, Self.lookMilliseconds) > 0 { _ = try connection.announcements() }
      }
    } catch {
      looks()
      meets(error)
      _ = guarded.wait(milliseconds: .random(in: 500...1_500)) { $0.isStopped ? () : nil }
    }
    guard isStopped else { return true }
    guarded.change { $0.hasStopped = true }
    return false
  }
}
