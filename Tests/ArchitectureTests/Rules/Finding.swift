// The violation of a rule that a check finds, and the type of the rules for single files.

/// A violation of a rule: the file and line, and the correction.
struct Finding: Hashable, CustomStringConvertible, Sendable {
  let path: String
  let line: Int
  let says: String

  var description: String { "\(path):\(line): \(says)" }
}

/// A rule of the architecture that checks one file at a time.
struct FileRule: CustomStringConvertible, Sendable {
  /// The name of the rule, which ``ModuleTable/decisions`` uses for deviations.
  let name: String
  let check: @Sendable (SourceFile) -> [Finding]

  var description: String { name }

  /// Returns the violations of the rule in a file, unless the module table allows the file to deviate from the rule.
  func findings(in file: SourceFile) -> [Finding] {
    ModuleTable.decisions.contains { $0.rule == name && file.path.hasPrefix($0.path) } ? [] : check(file)
  }
}
