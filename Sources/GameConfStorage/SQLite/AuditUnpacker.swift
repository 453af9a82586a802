// Decides when the writer gives packed lines of the audit log rows of their own.

/// The writer's position in the packs, and the amount that it does at once.
struct AuditUnpacker {
  /// A step ends when it has taken so long: as long as others may wait for it.
  private static let stepMax = Duration.milliseconds(8)
  /// After a failure.
  private static let pauseLasts = Duration.seconds(2)

  /// The first line of the last pack that was looked at; nil where no pack is left.
  private var last: Int64?
  private var pausesUntil: ContinuousClock.Instant?
  private let times: StoreTimes

  init(times: StoreTimes) { self.times = times }

  /// True if there is something to do now.
  var isDue: Bool { last != nil && pausesUntil.map { $0 <= times.now() } ?? true }

  /// There may be packs, or more of them.
  mutating func begin() { last = .min }

  /// A step has failed.
  mutating func pause() { pausesUntil = times.now() + Self.pauseLasts }

  /// Unpacks, in a transaction of its own.
  mutating func step(_ transaction: WriteTransaction, in database: SQLiteConnection) throws {
    guard var at = last else { return }
    let end = times.now() + Self.stepMax
    pausesUntil = nil
    try database.run("BEGIN IMMEDIATE")
    var isDone = false
    repeat {
      // What cannot be read is passed over: it stays packed.
      if let next = try transaction.unpackAudits(after: at) { at = next } else { isDone = true }
    } while !isDone && times.now() < end
    try database.run("COMMIT")
    last = isDone ? nil : at
  }
}
