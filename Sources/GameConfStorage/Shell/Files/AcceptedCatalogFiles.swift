// Accepted catalogs as one readable file per game, replaced atomically.

/// Stores accepted catalogs in `accepted/<game>.accepted`.
///
/// The format is that of ``AcceptedCatalogDocument``.
public struct AcceptedCatalogFiles: AcceptedCatalogs {
  private static let suffix = ".accepted"
  private let path: String
  private let owner: StateOwner?

  /// Creates the store of a state directory's catalogs.
  /// - Parameter owner: The required owner. Catalogs of another owner are not loaded.
  public init(in directory: StateDirectory, owner: StateOwner) {
    path = directory.acceptedPath
    self.owner = owner
  }

  /// Creates the store of a folder's catalogs, regardless of their owner.
  init(at path: String) {
    self.path = path
    owner = nil
  }

  /// Reads the accepted catalogs of all games. The result also lists the files that cannot be read, and those of another owner.
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
        guard let (fleet, files) = AcceptedCatalogDocument.document(in: bytes) else {
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

  /// Writes a temporary file and renames it over the game's file.
  public func store(_ catalog: AcceptedCatalog) throws(StateFault) {
    for name in [catalog.game] + catalog.files.map(\.name) where name.isEmpty || name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
      throw StateFault(
        code: .failed, path: path, message: "a file or game without a name, or with a control character in it, is not stored")
    }
    guard !catalog.game.contains("/"), !catalog.game.hasPrefix(".") else {
      throw StateFault(code: .failed, path: path, message: "'\(catalog.game)' is not the id of a game")
    }
    try Files.makeDirectory(path, mode: 0o750)
    try Files.replace(file(of: catalog.game), with: AcceptedCatalogDocument.bytes(of: catalog.files, in: owner?.fleet))
  }

  /// Removes the game's file; does nothing if it does not exist.
  public func remove(game: String) throws(StateFault) {
    guard !game.contains("/"), try Files.names(in: path).contains(game + Self.suffix) else { return }
    try Files.remove(file(of: game))
  }

  private func file(of game: String) -> String { path + "/" + game + Self.suffix }
}
