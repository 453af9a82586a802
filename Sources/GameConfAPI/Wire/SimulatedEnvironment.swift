// What everything the simulated store answers says of itself, so that nothing of it looks real.

import GameConfCore

extension ObjectValue {
  /// The object with `"environment": "simulated"`.
  func withEnvironment() -> ObjectValue { with("environment", .some(.string(StoreTransaction.environment))) }
}

extension SchemaText {
  /// The one word that ``ObjectValue/withEnvironment()`` writes.
  static let environment = words([StoreTransaction.environment])
}
