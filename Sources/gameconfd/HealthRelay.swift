// Lets a store be made before those who heed how it is doing.

import GameConfEngine
import Synchronization

/// Passes the store's health on to whoever follows.
final class HealthRelay: Sendable {
  private let target = Mutex<(@Sendable (StoreHealth) -> Void)?>(nil)

  /// Passes health on from now.
  func follow(_ told: @escaping @Sendable (StoreHealth) -> Void) { target.withLock { $0 = told } }

  func tell(_ health: StoreHealth) { target.withLock { $0 }?(health) }
}
