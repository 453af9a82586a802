// The mark of every answer of the simulated store, so that it cannot be mistaken for a real one.

import GameConfCore

extension FieldWalker {
  /// Visits the member `"environment": "simulated"`.
  mutating func environment() {
    written(
      "environment", .string(ShopTransaction.environment), "The environment: everything is simulated.",
      .oneOf([ShopTransaction.environment]))
  }
}
