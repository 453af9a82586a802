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
  /// The name of the rule, in a few words; recorded decisions use it.
  let name: String
  let check: @Sendable (SourceFile) -> [Finding]

  var description: String { name }

  /// The findings of the rule where no recorded decision allows them.
  func findings(in file: SourceFile) -> [Finding] {
    ModuleTable.decisions.contains { $0.rule == name && file.path.hasPrefix($0.path) } ? [] : check(file)
  }
}
