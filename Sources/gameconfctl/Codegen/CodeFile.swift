// Generated files: written only over other generated files, and compared.

enum CodeFile {
  /// The number of lines at the top in which the mark is looked for.
  private static let markLines = 3

  /// Writes a file, unless it has that content already: builds that compare modification times then do nothing.
  static func write(_ code: String, to path: String, overwrites: Bool) throws(CtlFailure) {
    let bytes = Array(code.utf8)
    if let present = try present(path) {
      if present == bytes { return }
      let top = present.split(separator: UInt8(ascii: "\n"), maxSplits: markLines, omittingEmptySubsequences: false).prefix(markLines)
      let isOurs = top.contains {
        CodeText.replacing(CodeModel.mark, by: "", in: String(decoding: $0, as: UTF8.self)).utf8.count < $0.count
      }
      guard isOurs || overwrites || present.isEmpty else {
        throw .refused(["\(path) was not written by this command and is left as it is; --force replaces it"])
      }
    }
    try FileBytes.replace(path, with: bytes)
  }

  /// Fails unless all files equal this code. Line ends that git converts on Windows are ignored.
  static func check(_ paths: [String], against code: String) throws(CtlFailure) {
    let wanted = lines(Array(code.utf8))
    var differences: [Sentence] = []
    for path in paths {
      guard let bytes = try present(path) else {
        differences.append("\(path): there is no such file; --output writes it")
        continue
      }
      let found = lines(bytes)
      if found == wanted { continue }
      let at = zip(found, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(found.count, wanted.count)
      differences.append("\(path):\(at + 1): out of date; write it again with --output. The first difference:")
      if found.indices.contains(at) { differences.append("- \(shown(found[at]))") }
      if wanted.indices.contains(at) { differences.append("+ \(shown(wanted[at]))") }
    }
    if !differences.isEmpty { throw .refused(differences) }
  }

  /// Returns the bytes of a file; nil if it does not exist.
  private static func present(_ path: String) throws(CtlFailure) -> [UInt8]? {
    do throws(CtlFailure) { return try FileBytes.read(path) } catch {
      if FileBytes.isAbsent(path) { return nil }
      throw error
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { $0.last == 0x0D ? $0.dropLast() : $0 }
  }

  private static func shown(_ line: ArraySlice<UInt8>) -> String {
    let text = String(decoding: line, as: UTF8.self)
    return text.unicodeScalars.count <= 160 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(160))) + "…"
  }
}
