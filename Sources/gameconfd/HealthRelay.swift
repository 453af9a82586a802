// Lets a store be made before those who heed how it is doing.

import GameConfStorage
import Synchronization

/// Passes the store's health on to those who follow.
final class HealthRelay: Sendable {
  private let targets = Mutex<[@Sendable (StoreHealth) -> Void]>([])

  /// Passes health on from now, after those who follow already.
  func follow(_ told: @escaping @Sendable (StoreHealth) -> Void) { targets.withLock { $0.append(told) } }

  func tell(_ health: StoreHealth) { for target in targets.withLock({ $0 }) { target(health) } }
}
