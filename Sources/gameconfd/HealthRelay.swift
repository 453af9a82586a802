// Relays the store's health to receivers that are created after the store.

import GameConfStorage
import Synchronization

final class HealthRelay: Sendable {
  private let targets = Mutex<[@Sendable (StoreHealth) -> Void]>([])

  /// Adds a receiver of later changes of the store's health. Receivers are called in the order in which they were added.
  func follow(_ receiver: @escaping @Sendable (StoreHealth) -> Void) { targets.withLock { $0.append(receiver) } }

  func notify(_ health: StoreHealth) { for target in targets.withLock({ $0 }) { target(health) } }
}
