// A ring buffer of recent changes of games and the store, from which a reconnecting admin's watch continues.

/// The position of an admin's watch. It is an event's id, `epoch.line.run.step` in decimal numbers.
struct AdminPosition: Sendable, Hashable {
  /// The store's epoch; line numbers are comparable only within one.
  var epoch: UInt64
  /// The newest audit line that was sent.
  var line: Int64
  /// The run of the daemon; step numbers are comparable only within one.
  var run: UInt32
  /// The last step that was sent.
  var step: Int64

  var text: String { "\(epoch).\(line).\(run).\(step)" }

  init(epoch: UInt64, line: Int64, run: UInt32, step: Int64) { (self.epoch, self.line, self.run, self.step) = (epoch, line, run, step) }

  /// Parses a position; nil unless it has the form of ``text``.
  init?(parsing text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, text.utf8.count <= 80, let epoch = UInt64(parts[0]), let line = Int64(parts[1]), let run = UInt32(parts[2]),
      let step = Int64(parts[3]), line >= 0, step >= 0
    else { return nil }
    self.init(epoch: epoch, line: line, run: run, step: step)
    if self.text != text { return nil }
  }
}

/// The newest steps of this run: the games that changed, and whether the store's health did.
struct AdminRing: Sendable {
  static let stepsMax = 1_024

  private struct AdminChange: Sendable {
    var games: [String]
    var isOfStore: Bool
  }

  /// The random id of this run of the daemon.
  let run = UInt32.random(in: 1...UInt32.max)
  /// The number of the newest step.
  private(set) var step: Int64 = 0
  private var steps: [AdminChange] = []

  /// Appends a step; the oldest is overwritten if the ring is full.
  mutating func add(games: [String] = [], isOfStore: Bool = false) {
    let step = AdminChange(games: games, isOfStore: isOfStore)
    if steps.count < Self.stepsMax { steps.append(step) } else { steps[Int(self.step % Int64(Self.stepsMax))] = step }
    self.step += 1
  }

  /// Returns the games that changed since a position, and whether the store's health did; nil if the ring no longer has all those steps.
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
