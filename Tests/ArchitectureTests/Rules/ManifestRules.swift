// Rules that compare Package.swift with the module table and with the files of the repository.

/// Returns the differences between Package.swift and the module table, such as unknown modules and forbidden dependencies. It also finds
/// packages without an exact version.
func manifestAgainstTable(_ manifest: Manifest, path: String = "Package.swift") -> [Finding] {
  var findings: [Finding] = []
  func find(_ line: Int, _ says: String) { findings.append(Finding(path: path, line: line, says: says)) }

  let names = Set(manifest.targets.map(\.name))
  var standing: Set<String> = []
  for target in manifest.targets {
    if target.labels.contains("path"), ModuleTable.sharedTestTargets[target.name] == nil {
      find(target.line, "\(target.name) stands in a flat folder of its own name, without `path:`")
    }
    for dependency in target.dependencies where names.contains(dependency) && !standing.contains(dependency) {
      find(target.line, "\(target.name) depends on \(dependency), which stands below it; bottom first")
    }
    standing.insert(target.name)
    if target.kind != .systemLibrary, !target.labels.contains("swiftSettings") {
      find(target.line, "\(target.name) is not built with the strict settings")
    }
    if target.kind == .testTarget {
      // The test target of `gameconfctl` is `GameConfCtlTests`, and that of `gameconf-fetch` is `GameConfFetchTests`.
      let modules = ModuleTable.moduleRules.map { $0.module.lowercased().replacing("-", with: "") + "tests" }
      if !ModuleTable.testTargetsAcrossModules.contains(target.name), !modules.contains(target.name.lowercased()) {
        find(target.line, "\(target.name) is named for no module of the table")
      }
      continue
    }
    if let allowed = ModuleTable.sharedTestTargets[target.name] {
      for dependency in target.dependencies where !allowed.contains(dependency) {
        find(target.line, "\(target.name) may not depend on \(dependency)")
      }
      continue
    }
    guard let moduleRule = ModuleTable.moduleRule(target.name) else {
      find(target.line, "\(target.name) is not in the house's table")
      continue
    }
    for dependency in target.dependencies where ModuleTable.modules(ofProduct: dependency).isDisjoint(with: moduleRule.mayImport) {
      find(target.line, "\(target.name) may not depend on \(dependency)")
    }
  }
  for package in manifest.packages where !package.labels.contains("exact") {
    find(package.line, "\(package.address) is pinned with `exact:`, since no Package.resolved is kept")
  }
  return findings
}

/// Returns the dependencies in Package.swift of which no file of the target imports a module.
func unusedDependencies(_ manifest: Manifest, files: [SourceFile], path: String = "Package.swift") -> [Finding] {
  var imported: [String: Set<String>] = [:]
  for file in files where file.path.hasSuffix(".swift") {
    if let module = file.module { imported[module, default: []].formUnion(file.imports.map(\.module)) }
  }
  let programs = Set(manifest.targets.filter { $0.kind == .executableTarget }.map(\.name))
  return manifest.targets.flatMap { target in
    target.dependencies.filter { dependency in
      // A test target depends on a program only to have it built, and cannot import it.
      if target.kind == .testTarget, programs.contains(dependency) { return false }
      return ModuleTable.modules(ofProduct: dependency).isDisjoint(with: imported[target.name] ?? [])
    }.map { Finding(path: path, line: target.line, says: "\(target.name) depends on \($0), which none of its files imports") }
  }
}

/// Returns the folders of `Sources` and `Tests` without a target in Package.swift, and the targets without a folder.
func foldersAgainstManifest(_ manifest: Manifest, paths: [String]) -> [Finding] {
  func folders(in top: String) -> Set<String> {
    Set(paths.compactMap { $0.hasPrefix(top + "/") && $0.split(separator: "/").count > 2 ? String($0.split(separator: "/")[1]) : nil })
  }
  var findings: [Finding] = []
  for (top, isTest) in [("Sources", false), ("Tests", true)] {
    let targets = Set(
      manifest.targets.filter { ($0.kind == .testTarget || ModuleTable.sharedTestTargets[$0.name] != nil) == isTest }.map(\.name))
    let standing = folders(in: top).subtracting(isTest ? ModuleTable.testFoldersWithoutTarget : [])
    findings += standing.subtracting(targets).sorted().map { Finding(path: "\(top)/\($0)", line: 0, says: "no target in Package.swift") }
    findings += targets.subtracting(standing).sorted().map { Finding(path: "Package.swift", line: 0, says: "no folder \(top)/\($0)") }
  }
  return findings
}

/// Returns the entries in the repository's top folder that the module table does not list.
func topLevelAgainstPlan(_ entries: [String]) -> [Finding] {
  entries.filter { !ModuleTable.topLevel.contains($0) && !$0.hasPrefix(".") }.map {
    Finding(path: $0, line: 0, says: "does not belong at the top; there stand only \(ModuleTable.topLevel.sorted())")
  }
}
