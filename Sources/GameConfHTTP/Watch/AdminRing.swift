// The steps of games and the store that admins were sent lately: what one who comes back is due.

/// The position of an admin's watch: the id of an event, written `epoch.line.run.step` in decimal digits.
struct AdminPosition: Sendable, Hashable {
  /// The store's epoch; lines compare only within one.
  var epoch: UInt64
  /// The newest line of the audit log that was sent.
  var line: Int64
  /// The run of the daemon; steps compare only within one.
  var run: UInt32
  /// The step sent last.
  var step: Int64

  var text: String { "\(epoch).\(line).\(run).\(step)" }

  init(epoch: UInt64, line: Int64, run: UInt32, step: Int64) { (self.epoch, self.line, self.run, self.step) = (epoch, line, run, step) }

  /// Reads a position; nil when it is not written as ``text`` writes it.
  init?(parsing text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, text.utf8.count <= 80, let epoch = UInt64(parts[0]), let line = Int64(parts[1]), let run = UInt32(parts[2]),
      let step = Int64(parts[3]), line >= 0, step >= 0
    else { return nil }
    self.init(epoch: epoch, line: line, run: run, step: step)
    if self.text != text { return nil }
  }
}

/// The newest steps of this run: which games they touched, and whether they were about the store.
struct AdminRing: Sendable {
  /// The number of steps that are kept.
  static let stepsMax = 1_024

  private struct Step: Sendable {
    var games: [String]
    var isOfStore: Bool
  }

  /// The run of the daemon.
  let run = UInt32.random(in: 1...UInt32.max)
  /// The number of the newest step.
  private(set) var step: Int64 = 0
  private var steps: [Step] = []

  /// Adds a step.
  mutating func add(games: [String] = [], isOfStore: Bool = false) {
    let step = Step(games: games, isOfStore: isOfStore)
    if steps.count < Self.stepsMax { steps.append(step) } else { steps[Int(self.step % Int64(Self.stepsMax))] = step }
    self.step += 1
  }

  /// The games touched since a position, and whether the store was; nil when that is not known.
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
