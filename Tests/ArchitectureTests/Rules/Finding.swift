// The result of a rule, and the rules for single files.

/// A place that breaks a rule, with the correction.
struct Finding: Hashable, CustomStringConvertible, Sendable {
  let path: String
  let line: Int
  let says: String

  var description: String { "\(path):\(line): \(says)" }
}

/// A rule that checks one file at a time.
struct FileRule: CustomStringConvertible, Sendable {
  /// The name of the rule; entries in the table of deviations use it.
  let name: String
  let check: @Sendable (SourceFile) -> [Finding]

  var description: String { name }

  /// Returns the findings that no deviation allows.
  func findings(in file: SourceFile) -> [Finding] {
    ModuleTable.decisions.contains { $0.rule == name && file.path.hasPrefix($0.path) } ? [] : check(file)
  }
}
