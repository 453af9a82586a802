// The files of this repository with their paths and text, as the rules read them.

import FoundationEssentials

/// A file of the repository: its path from the repository's top, its text, and its tokens if it is Swift.
struct SourceFile: Sendable {
  let path: String
  let text: String
  let tokens: [Token]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    self.tokens = path.hasSuffix(".swift") ? Tokenizer.tokens(of: text) : []
  }

  /// The name of the file without its folders.
  var name: String { String(path.split(separator: "/").last ?? "") }

  /// The module to which the file belongs: the folder below `Sources` or `Tests`.
  var module: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && (parts[0] == "Sources" || parts[0] == "Tests") ? String(parts[1]) : nil
  }

  /// True for Swift code of the modules in `Sources`.
  var isSource: Bool { path.hasPrefix("Sources/") && path.hasSuffix(".swift") }

  /// True for Swift code of this package's tests. Programs in `Tests` that are packages of their own do not count.
  var isTest: Bool { path.hasPrefix("Tests/") && path.hasSuffix(".swift") && !path.hasPrefix("Tests/Benchmarks/") }
}

/// All files of the repository, which are read once for all rules.
struct SourceTree: Sendable {
  let top: String
  let files: [SourceFile]
  /// The names of the entries in the repository's top folder that are neither hidden nor ignored by git.
  let entries: [String]

  static let repository = Result { try SourceTree(top: String(#filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 })) }

  init(top: String) throws {
    self.top = top
    let manager = FileManager.default
    let ignored = ((try? String(contentsOfFile: top + "/.gitignore", encoding: .utf8)) ?? "").split(separator: "\n")
      .map { $0.hasSuffix("/") ? String($0.dropLast()) : String($0) }
    entries = try manager.contentsOfDirectory(atPath: top).filter { !$0.hasPrefix(".") && !ignored.contains($0) }.sorted()

    var found: [SourceFile] = []
    var folders = entries.map { $0 } + [".ci"]
    while let path = folders.popLast() {
      var isFolder = false
      guard manager.fileExists(atPath: "\(top)/\(path)", isDirectory: &isFolder) else { continue }
      if isFolder {
        folders += try manager.contentsOfDirectory(atPath: "\(top)/\(path)").filter { !$0.hasPrefix(".") }.map { "\(path)/\($0)" }
      } else if let data = manager.contents(atPath: "\(top)/\(path)"), data.count < 1 << 20,
        let text = String(validating: data, as: UTF8.self)
      {
        found.append(SourceFile(path: path, text: text))
      }
    }
    files = found.sorted { $0.path < $1.path }
  }
}
