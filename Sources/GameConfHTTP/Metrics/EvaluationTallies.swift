// Counts evaluated values by game and by the layer that provided them.

package import GameConfCore
internal import Synchronization

/// Counts the evaluations of handlers. A ready answer contains the position of its counter, and each event loop counts those by itself.
///
/// Games and layers are few, so the list of counters only grows.
package final class EvaluationTallies: Sendable {
  struct CounterLabels: Sendable, Hashable {
    let game: String
    let layer: Layer
  }

  /// The maximum number of counters; evaluations of further games are not counted.
  static let namesMax = 8_192

  private struct State {
    var positions: [CounterLabels: Int] = [:]
    var names: [CounterLabels] = []
    var counts: [UInt64] = []
  }

  private let held = Mutex(State())

  package init() {}

  /// Returns the position of a counter, created if it does not exist; -1 if there are too many.
  func position(game: String, layer: Layer) -> Int {
    held.withLock { Self.position(CounterLabels(game: game, layer: layer), in: &$0) }
  }

  package func count(game: String, layer: Layer, by number: Int = 1) {
    held.withLock { held in
      let at = Self.position(CounterLabels(game: game, layer: layer), in: &held)
      if at >= 0 { held.counts[at] += UInt64(number) }
    }
  }

  /// Returns all counters, with the counts of the event loops added.
  /// - Parameter ready: The event loops' counts, by position.
  func totals(adding ready: [UInt64]) -> [(name: CounterLabels, count: UInt64)] {
    let held = held.withLock { $0 }
    return held.names.indices.map { at in (held.names[at], held.counts[at] + (at < ready.count ? ready[at] : 0)) }
  }

  private static func position(_ name: CounterLabels, in held: inout State) -> Int {
    if let at = held.positions[name] { return at }
    if held.names.count >= namesMax { return -1 }
    held.positions[name] = held.names.count
    held.names.append(name)
    held.counts.append(0)
    return held.names.count - 1
  }
}
