// What a rule finds, and where.

/// One place that breaks a rule, with what would be right.
struct Finding: Hashable, CustomStringConvertible, Sendable {
  let path: String
  let line: Int
  let says: String

  var description: String { "\(path):\(line): \(says)" }
}

/// A rule that looks at one file at a time.
struct FileRule: CustomStringConvertible, Sendable {
  /// What the rule wants, in a few words; recorded decisions name it.
  let name: String
  let check: @Sendable (SourceFile) -> [Finding]

  var description: String { name }

  /// What the rule finds where no recorded decision allows it.
  func findings(in file: SourceFile) -> [Finding] {
    ModuleTable.decisions.contains { $0.rule == name && file.path.hasPrefix($0.path) } ? [] : check(file)
  }
}
