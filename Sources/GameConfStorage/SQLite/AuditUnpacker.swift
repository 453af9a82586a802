// Decides when the writer unpacks packed audit lines.

/// The writer's position among the audit packs, rows that have many audit lines each. The writer unpacks them in steps of limited duration.
struct AuditUnpacker {
  /// The duration after which a step ends, because the writer's other jobs wait for it.
  private static let stepMax = Duration.milliseconds(8)
  /// The pause after a failed step.
  private static let pauseLasts = Duration.seconds(2)

  /// The id of the first line in the last unpacked pack; nil if no pack is left.
  private var last: Int64?
  private var pausesUntil: ContinuousClock.Instant?
  private let times: StoreTiming

  init(times: StoreTiming) { self.times = times }

  /// True if a step should run now.
  var isDue: Bool { last != nil && pausesUntil.map { $0 <= times.now() } ?? true }

  /// Starts with the first pack again, because packs were added.
  mutating func begin() { last = .min }

  /// Pauses after a failed step.
  mutating func pause() { pausesUntil = times.now() + Self.pauseLasts }

  /// Unpacks packs for a limited time, in one database transaction.
  mutating func step(_ transaction: WriteTransaction, in database: SQLiteConnection) throws {
    guard var at = last else { return }
    let end = times.now() + Self.stepMax
    pausesUntil = nil
    try database.run("BEGIN IMMEDIATE")
    var isDone = false
    repeat {
      // An unreadable pack is skipped and stays packed.
      if let next = try transaction.unpackAudits(after: at) { at = next } else { isDone = true }
    } while !isDone && times.now() < end
    try database.run("COMMIT")
    last = isDone ? nil : at
  }
}
