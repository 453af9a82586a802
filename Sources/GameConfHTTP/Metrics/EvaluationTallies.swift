// Counts evaluated values by game and by the layer that gave them.

package import GameConfCore
internal import Synchronization

/// The counters of evaluated values, by game and layer. Handlers count here. An answer that was encoded in advance has the position of its
/// counter, and each event loop counts such answers by itself.
///
/// Games and layers are few, so no counter is ever removed.
package final class EvaluationTallies: Sendable {
  struct CounterLabels: Sendable, Hashable {
    let game: String
    let layer: Layer
  }

  /// The maximum number of counters. Evaluations that would need a further one are not counted.
  static let namesMax = 8_192

  private struct State {
    var positions: [CounterLabels: Int] = [:]
    var names: [CounterLabels] = []
    var counts: [UInt64] = []
  }

  private let held = Mutex(State())

  package init() {}

  /// Returns the position of the counter of a game and a layer, and creates it if necessary; -1 if there are too many.
  func position(game: String, layer: Layer) -> Int {
    held.withLock { Self.position(CounterLabels(game: game, layer: layer), in: &$0) }
  }

  package func count(game: String, layer: Layer, by number: Int = 1) {
    held.withLock { held in
      let at = Self.position(CounterLabels(game: game, layer: layer), in: &held)
      if at >= 0 { held.counts[at] += UInt64(number) }
    }
  }

  /// Returns all counters with their totals.
  /// - Parameter ready: The event loops' counts of answers that were encoded in advance, by the counter's position.
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
