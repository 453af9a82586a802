// The steps of random histories, and the generator that draws them from a seed.
import GameConfCore
import GameConfStorage
import TestSupport

/// The slot of an override: a key of the game “g”, for one player or for the game.
struct HistorySlot: Hashable, Sendable {
  var player: String?
  var key: String

  var slot: OverrideSlot { OverrideSlot(game: "g", player: player, key: key) }
}

/// A kind of step, with its arguments.
enum HistoryStep: Sendable {
  case set(HistorySlot, Int64)
  /// Overrides a value in a time window that begins after `after` seconds and lasts `lasting` seconds.
  case window(HistorySlot, Int64, after: Int64, lasting: Int64)
  case remove(HistorySlot)
  case clear(OverrideSelection.OverrideScope)
  case importRows([HistorySlot: Int64], replacing: Bool)
  /// Imports enough overrides that the import is prepared before its transaction.
  case importMany(Int64, replacing: Bool)
  /// Pushes a template that is active now or after `after` seconds.
  case push([String: Int64], after: Int64?)
  case activate(Int64)
  case moveClock(milliseconds: Int64)
  case resetClock
  /// Accepts another catalog.
  case catalog(Int)
  /// Advances the time and applies everything that is due.
  case wait(seconds: Int64)
  case visit(String)
  case forget(String)
  case reset(String)
  /// Reverts the last change of a single slot.
  case revert
  /// Runs a transaction in which a part that writes everything fails, or which fails as a whole.
  case fail(HistorySlot, Int64, isWhole: Bool)
  case backup
  case restore
  case restart
}

/// One step on one host.
struct HistoryAct: Sendable, CustomStringConvertible {
  var step: HistoryStep
  var host: Int
  var isDryRun: Bool
  /// True if every host is compared after the step. Without a comparison a polling host must apply several changes together.
  var isCompared: Bool

  var description: String { "\(step) on host \(host)\(isDryRun ? ", dry" : "")\(isCompared ? ", compared" : "")" }

  /// Returns the steps up to and including `end`, one on each line.
  static func tail(_ acts: [HistoryAct], upTo end: Int) -> String {
    acts[..<end].enumerated().suffix(8).map { "  \($0) \($1)" }.joined(separator: "\n")
  }
}

/// A generator that draws random histories from a seed.
struct HistoryGenerator {
  static let players = ["p1", "p2", "ö/3"]
  static let keys = ["a", "b", "c", "d"]
  static let catalogs = 4
  /// The number of players from which an import is prepared before its transaction.
  static let playersOfLargeImport = 260

  private var random: SeededGenerator
  private let hosts: Int

  init(seed: UInt64, hosts: Int) {
    random = SeededGenerator(seed: seed)
    self.hosts = hosts
  }

  mutating func history(steps: Int) -> [HistoryAct] {
    (0..<steps).map { _ in
      let step = step()
      return HistoryAct(
        step: step, host: .random(in: 0..<hosts, using: &random), isDryRun: chance(8), isCompared: hosts == 1 || chance(3))
    }
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
  private mutating func value() -> Int64 { .random(in: 0...100, using: &random) }
  private mutating func player() -> String { Self.players[.random(in: 0..<Self.players.count, using: &random)] }
  private mutating func key() -> String { Self.keys[.random(in: 0..<Self.keys.count, using: &random)] }
  private mutating func slot() -> HistorySlot { HistorySlot(player: chance(2) ? nil : player(), key: key()) }

  private mutating func scope() -> OverrideSelection.OverrideScope {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .game
    case 1: .player(player())
    case 2: .players
    default: .all
    }
  }

  private mutating func template() -> [String: Int64] {
    Dictionary(["a", "b", "c"].filter { _ in chance(2) }.map { ($0, value()) }) { $1 }
  }

  private mutating func rows() -> [HistorySlot: Int64] {
    Dictionary((0..<Int.random(in: 1...4, using: &random)).map { _ in (slot(), value()) }) { $1 }
  }

  private mutating func step() -> HistoryStep {
    switch Int.random(in: 0..<64, using: &random) {
    case 0..<14: .set(slot(), value())
    case 14..<20: .window(slot(), value(), after: .random(in: 0...20, using: &random), lasting: .random(in: 1...30, using: &random))
    case 20..<27: .remove(slot())
    case 27..<29: .clear(scope())
    case 29..<32: .importRows(rows(), replacing: chance(3))
    // Large imports are rare, since hundreds of overrides are slow to compare.
    case 32: chance(3) ? .importMany(value(), replacing: chance(2)) : .set(slot(), value())
    case 33..<37: .push(template(), after: chance(3) ? .random(in: 1...30, using: &random) : nil)
    case 37..<39: .activate(.random(in: 1...4, using: &random))
    case 39..<41: .moveClock(milliseconds: .random(in: 1...1_000_000, using: &random))
    case 41: .resetClock
    case 42..<45: .catalog(.random(in: 0..<Self.catalogs, using: &random))
    case 45..<50: .wait(seconds: .random(in: 1...20, using: &random))
    case 50: .visit(player())
    case 51: .forget(player())
    case 52: .reset(player())
    case 53..<55: .revert
    case 55..<58: .fail(slot(), value(), isWhole: chance(2))
    case 58..<60: .backup
    case 60: .restore
    default: .restart
    }
  }
}
