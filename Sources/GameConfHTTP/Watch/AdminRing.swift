// A ring buffer of recent changes of games and the store, from which an admin's watch resumes after a reconnection.

/// The position of an admin's watch. An event's id has the position as `epoch.line.run.step` in decimal numbers.
struct AdminPosition: Sendable, Hashable {
  /// The store's epoch. Row numbers of the audit log are comparable only within one epoch.
  var epoch: UInt64
  /// The number of the newest row of the audit log that was sent.
  var line: Int64
  /// The random id of the daemon's run. Step numbers are comparable only within one run.
  var run: UInt32
  /// The number of the last step that was sent. A step is one published change of games, or one change of the store's health or of the
  /// degradations.
  var step: Int64

  var text: String { "\(epoch).\(line).\(run).\(step)" }

  init(epoch: UInt64, line: Int64, run: UInt32, step: Int64) { (self.epoch, self.line, self.run, self.step) = (epoch, line, run, step) }

  /// Parses a position that ``text`` has rendered; nil for any other text.
  init?(parsing text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, text.utf8.count <= 80, let epoch = UInt64(parts[0]), let line = Int64(parts[1]), let run = UInt32(parts[2]),
      let step = Int64(parts[3]), line >= 0, step >= 0
    else { return nil }
    self.init(epoch: epoch, line: line, run: run, step: step)
    if self.text != text { return nil }
  }
}

/// A ring buffer of the newest steps in this run of the daemon. A step has the changed games, or says that the store's health changed.
struct AdminRing: Sendable {
  static let stepsMax = 1_024

  private struct AdminChange: Sendable {
    var games: [String]
    var isOfStore: Bool
  }

  /// The random id of this run of the daemon.
  let run = UInt32.random(in: 1...UInt32.max)
  /// The number of the newest step. A step is one published change of games, or one change of the store's health or of the degradations.
  private(set) var step: Int64 = 0
  private var steps: [AdminChange] = []

  /// Appends a step. If the ring buffer is full, it overwrites the oldest step.
  mutating func add(games: [String] = [], isOfStore: Bool = false) {
    let step = AdminChange(games: games, isOfStore: isOfStore)
    if steps.count < Self.stepsMax { steps.append(step) } else { steps[Int(self.step % Int64(Self.stepsMax))] = step }
    self.step += 1
  }

  /// Returns the games that changed since a position, and if the store's health changed; nil if the ring buffer no longer has all those
  /// steps.
  func due(since position: AdminPosition) -> (games: Set<String>, isOfStore: Bool)? {
    guard position.run == run, position.step <= step, step - position.step <= Int64(steps.count) else { return nil }
    var due: (games: Set<String>, isOfStore: Bool) = ([], false)
    for number in position.step..<step {
      let each = steps[Int(number % Int64(Self.stepsMax))]
      due.games.formUnion(each.games)
      if each.isOfStore { due.isOfStore = true }
    }
    return due
  }
}
