// Accepted catalogs as one file a game, readable by a person and replaced atomically.

/// Keeps accepted catalogs in `accepted/<game>.accepted`.
///
/// A file holds a line `gameconfd accepted 1`, in a fleet a line `fleet ID`, then for each file a line `file LENGTH NAME` and its bytes and a line feed, and last a line
/// `end CHECKSUM` over everything before it: what was cut short or changed by hand is known as damaged.
public struct AcceptedCatalogFiles: AcceptedCatalogs {
  private static let firstLine = "gameconfd accepted 1"
  private static let fleetWord = "fleet "
  private static let suffix = ".accepted"
  private let path: String
  private let owner: StateOwner?

  /// The catalogs in a state directory.
  /// - Parameter owner: whose they must be; what is another's is not read.
  public init(in directory: StateDirectory, owner: StateOwner) {
    path = directory.acceptedPath
    self.owner = owner
  }

  /// The catalogs in a folder, whosever they are.
  init(at path: String) {
    self.path = path
    owner = nil
  }

  /// Reads every file of the folder.
  public func load() -> AcceptedCatalogContents {
    var found = AcceptedCatalogContents()
    var foreign: [String?: [String]] = [:]
    let names: [String]
    do throws(StateFault) { names = try Files.names(in: path) } catch {
      found.faults.append(error)
      return found
    }
    for name in names where name.hasSuffix(Self.suffix) {
      let file = path + "/" + name
      do throws(StateFault) {
        guard let bytes = try Files.read(file) else { continue }
        guard let (fleet, files) = Self.document(in: bytes) else {
          throw StateFault(
            code: .damaged, path: file, message: "has been changed; it is written again when the game's catalog is accepted")
        }
        let game = String(name.dropLast(Self.suffix.count))
        guard owner?.admits(fleet) != false else {
          found.foreign.append(game)
          foreign[fleet, default: []].append(game)
          continue
        }
        found.catalogs.append(AcceptedCatalog(game: game, files: files))
      } catch { found.faults.append(error) }
    }
    for (fleet, games) in foreign.sorted(by: { $0.value.lexicographicallyPrecedes($1.value) }) {
      owner?.disregard("what was accepted of \(games.joined(separator: ", ")) was", of: fleet)
    }
    return found
  }

  /// Writes the game's file beside the old one and renames it.
  public func store(_ catalog: AcceptedCatalog) throws(StateFault) {
    for name in [catalog.game] + catalog.files.map(\.name) where name.isEmpty || name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
      throw StateFault(
        code: .failed, path: path, message: "a file or game without a name, or with a control character in it, is not stored")
    }
    guard !catalog.game.contains("/"), !catalog.game.hasPrefix(".") else {
      throw StateFault(code: .failed, path: path, message: "'\(catalog.game)' is not the id of a game")
    }
    try Files.makeDirectory(path, mode: 0o750)
    try Files.replace(file(of: catalog.game), with: Self.bytes(of: catalog.files, in: owner?.fleet))
  }

  /// Removes the game's file.
  public func remove(game: String) throws(StateFault) {
    guard !game.contains("/"), try Files.names(in: path).contains(game + Self.suffix) else { return }
    try Files.remove(file(of: game))
  }

  private func file(of game: String) -> String { path + "/" + game + Self.suffix }

  static func bytes(of files: [AcceptedFile], in fleet: String? = nil) -> [UInt8] {
    var bytes = Array((firstLine + "\n").utf8)
    // An id that was changed by hand to what would be two lines is left out, and what names none is not used.
    if let fleet, !fleet.utf8.contains(where: { $0 < 0x20 }) { bytes += Array("\(fleetWord)\(fleet)\n".utf8) }
    for file in files {
      bytes += Array("file \(file.bytes.count) \(file.name)\n".utf8)
      bytes += file.bytes
      bytes.append(UInt8(ascii: "\n"))
    }
    bytes += Array("end \(checksum(bytes[...]))\n".utf8)
    return bytes
  }

  static func files(in bytes: [UInt8]) -> [AcceptedFile]? { document(in: bytes)?.files }

  private static func document(in bytes: [UInt8]) -> (fleet: String?, files: [AcceptedFile])? {
    var rest = bytes[...]
    guard line(of: &rest) == firstLine else { return nil }
    var (fleet, files): (String?, [AcceptedFile]) = (nil, [])
    if rest.starts(with: fleetWord.utf8) { fleet = line(of: &rest).map { String($0.dropFirst(fleetWord.count)) } }
    while true {
      let covered = bytes[..<rest.startIndex]
      guard let line = line(of: &rest) else { return nil }
      if line.hasPrefix("end ") { return rest.isEmpty && line == "end \(checksum(covered))" ? (fleet, files) : nil }
      let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard words.count == 3, words[0] == "file", let count = Int(words[1]), count >= 0, count < rest.count else { return nil }
      files.append(AcceptedFile(name: String(words[2]), bytes: Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
      guard rest.popFirst() == UInt8(ascii: "\n") else { return nil }
    }
  }

  private static func line(of rest: inout ArraySlice<UInt8>) -> String? {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// FNV-1a over the bytes: it finds accidents, it is no protection against intent.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
    let hash = bytes.withUnsafeBytes { bytes in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return hash
    }
    return String(hash, radix: 16)
  }
}
