// The rule about sizes: a module may grow beyond its limit only in a commit that raises the limit and states the reason.

/// The limits on the size of one module.
struct SizeRule: Sendable {
  let module: String
  let codeLinesMax: Int
  let typeNamesMax: Int
  /// The reason for which the limits were last raised; empty if they were never raised.
  let reason: String
}

/// Returns the modules that exceed their limits or have no limits, and the functions that are too long.
/// - Parameter longFunctions: The functions that may exceed the maximum length, each as path and name.
func sizesAgainstTable(files: [SourceFile], rules: [SizeRule] = SizeTable.rules, longFunctions: Set<String> = SizeTable.longFunctions)
  -> [Finding]
{
  let sources = files.filter { $0.path.hasPrefix("Sources/") && ($0.isSource || $0.path.hasSuffix(".c") || $0.path.hasSuffix(".h")) }
  let byModule = Dictionary(grouping: sources) { $0.module ?? "" }
  var findings: [Finding] = []
  for (module, files) in byModule.sorted(by: { $0.key < $1.key }) {
    let lines = files.reduce(0) { $0 + $1.codeLines }
    let names = Set(files.flatMap(\.typeNames)).count
    guard let rule = rules.first(where: { $0.module == module }) else {
      findings.append(
        Finding(path: SizeTable.path, line: 0, says: "add `(\"\(module)\", \(lines), \(names), …)`, with the reason for the module"))
      continue
    }
    for (what, measured, max) in [("lines of code", lines, rule.codeLinesMax), ("type names", names, rule.typeNamesMax)]
    where measured > max {
      findings.append(
        Finding(
          path: "Sources/\(module)", line: 0,
          says: "\(measured) \(what), \(max) are allowed; remove what the change made redundant, or raise the number with its reason"))
    }
  }
  let long = sources.flatMap(\.functions).filter { $0.lines > SizeTable.functionLinesMax }
  let names = Set(long.map { "\($0.path) \($0.name)" })
  findings += long.filter { !longFunctions.contains("\($0.path) \($0.name)") }.map {
    Finding(
      path: $0.path, line: $0.line, says: "\($0.name) has \($0.lines) lines, \(SizeTable.functionLinesMax) are allowed; cut it in two ideas"
    )
  }
  findings += rules.filter { byModule[$0.module] == nil }.map {
    Finding(path: SizeTable.path, line: 0, says: "there is no module \($0.module)")
  }
  findings += longFunctions.subtracting(names).sorted().map {
    Finding(path: SizeTable.path, line: 0, says: "\($0) is no long function")
  }
  return findings
}
