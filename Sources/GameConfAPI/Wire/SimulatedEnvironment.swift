// The mark of everything the simulated store answers, so that nothing of it looks real.

import GameConfCore

extension FieldWalker {
  /// `"environment": "simulated"`.
  mutating func environment() {
    written(
      "environment", .string(ShopTransaction.environment), "The environment: everything is simulated.",
      .oneOf([ShopTransaction.environment]))
  }
}
