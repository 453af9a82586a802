// The member that marks every answer of the simulated store, so that it is not mistaken for a real store's answer.

import GameConfCore

extension FieldWalker {
  /// Visits the constant member `"environment": "simulated"`.
  mutating func environment() {
    written(
      "environment", .string(ShopTransaction.environment), "The environment: everything is simulated.",
      .oneOf([ShopTransaction.environment]))
  }
}
