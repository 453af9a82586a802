// The number of values that were answered, by game and by the layer that gave them.

internal import GameConfCore
internal import Synchronization

/// Counts evaluations of handlers; answers that lie ready carry the position of their tally, and each event loop counts those itself.
///
/// Games and layers are few and known, so the list of tallies only grows.
package final class EvaluationTallies: Sendable {
  /// A game and the layer that gave a value.
  struct Name: Sendable, Hashable {
    let game: String
    let layer: Layer
  }

  /// Names beyond this many are not counted.
  static let namesMax = 8_192

  private struct State {
    var positions: [Name: Int] = [:]
    var names: [Name] = []
    var counts: [UInt64] = []
  }

  private let held = Mutex(State())

  package init() {}

  /// The position of a tally; -1 when there are too many.
  func position(game: String, layer: Layer) -> Int {
    held.withLock { Self.position(Name(game: game, layer: layer), in: &$0) }
  }

  /// Counts evaluations that a handler made.
  func count(game: String, layer: Layer, by number: Int = 1) {
    held.withLock { held in
      let at = Self.position(Name(game: game, layer: layer), in: &held)
      if at >= 0 { held.counts[at] += UInt64(number) }
    }
  }

  /// Every tally, with those of the event loops added.
  /// - Parameter ready: by position.
  func totals(adding ready: [UInt64]) -> [(name: Name, count: UInt64)] {
    let held = held.withLock { $0 }
    return held.names.indices.map { at in (held.names[at], held.counts[at] + (at < ready.count ? ready[at] : 0)) }
  }

  private static func position(_ name: Name, in held: inout State) -> Int {
    if let at = held.positions[name] { return at }
    if held.names.count >= namesMax { return -1 }
    held.positions[name] = held.names.count
    held.names.append(name)
    held.counts.append(0)
    return held.names.count - 1
  }
}
