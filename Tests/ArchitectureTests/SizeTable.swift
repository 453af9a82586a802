// The sizes that modules may have: they fall silently, and rise only in the commit that needs it, with its reason.

/// The most that each module may hold, and the functions that may be long.
enum SizeTable {
  static let path = "Tests/ArchitectureTests/SizeTable.swift"

  static let functionLinesMax = 70

  static let rules: [SizeRule] = []

  /// Functions above the limit: one switch or one literal.
  static let longFunctions: Set<String> = []
}
