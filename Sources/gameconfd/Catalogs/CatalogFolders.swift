// Reads the catalogs in the host's folders for the engine.

import GameConfCore
import GameConfEngine
import GameConfStorage
import GameConfFormats
import Glibc

/// Reads catalogs and their drop-ins from the host's folders. Of several files with one name, the file in the earlier folder is used.
struct CatalogFolders: CatalogSource {
  /// The folders of catalogs. A file in an earlier folder hides a file of the same name in a later one.
  let folders: [String]
  /// The error message if the folder of catalogs in the settings does not exist; nil otherwise.
  var missing: String?

  func read() async -> CatalogLoads {
    var places: [CatalogLocation] = []
    var warnings: [String] = []
    var unread: [String: String] = [:]
    // A folder that cannot be read could contain a file about any game. So it counts as a fault of each game, which leaves the accepted
    // catalogs in force.
    var faults: [String] = []
    for folder in folders {
      do throws(FileFault) { places.append(try place(folder, &unread)) } catch {
        if !error.isAbsence { faults.append("\(folder):1:1: \(error.message)") }
      }
    }
    warnings += faults
    let survey = CatalogLocations.survey(places)
    var readings: [CatalogLoad] = []
    for sources in survey.games {
      let dropIns = unread.filter { $0.key.hasSuffix("/\(sources.game)\(CatalogLocations.directoryEnding)") }
      var reading = read(sources, faults: faults + dropIns.sorted { $0.key < $1.key }.map { "\($0.key):1:1: \($0.value)" })
      reading.path = sources.main
      readings.append(reading)
      if case .read(let catalog, _) = reading.outcome { warnings += hiddenKeys(sources, winner: catalog) }
    }
    return CatalogLoads(games: readings, warnings: survey.remarks + warnings)
  }

  func read(_ accepted: AcceptedCatalog) async -> CatalogLoad {
    guard let main = accepted.files.first else {
      return CatalogLoad(game: accepted.game, files: [], outcome: .refused(["\(accepted.game): no accepted catalog is stored"]))
    }
    let files = accepted.files.map { NamedFile(name: "accepted/\($0.name)", bytes: $0.bytes) }
    let catalogFiles = CatalogFiles(main: files[0], dropIns: Array(files.dropFirst()))
    return CatalogLoad(
      game: accepted.game, files: [main] + accepted.files.dropFirst(),
      outcome: Self.outcome(CatalogReader.read(catalogFiles, isNamedByFile: false)))
  }

  /// Returns the stamps of all catalogs and drop-ins, by which a saved file is noticed.
  /// - Parameter listings: The cache of the names in the folders.
  func fingerprint(_ listings: inout FolderListings) -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    func stamp(_ path: String) { stamps[path] = FileStamp(path) }
    for folder in folders {
      for name in listings.names(in: folder, endings: [CatalogLocations.fileEnding, CatalogLocations.directoryEnding]) {
        if name.hasSuffix(CatalogLocations.fileEnding) {
          stamp("\(folder)/\(name)")
        } else {
          for dropIn in listings.names(in: "\(folder)/\(name)", endings: [CatalogLocations.fileEnding]) {
            stamp("\(folder)/\(name)/\(dropIn)")
          }
        }
      }
    }
    return stamps
  }

  /// Lists the catalogs and drop-ins of one folder.
  /// - Parameter unread: Receives the drop-in folders that cannot be read, with the reasons.
  private func place(_ folder: String, _ unread: inout [String: String]) throws(FileFault) -> CatalogLocation {
    var place = CatalogLocation(directory: folder, files: [])
    for name in try FolderFiles.names(in: folder) {
      guard name.hasSuffix(CatalogLocations.directoryEnding) else {
        place.files.append(name)
        continue
      }
      do throws(FileFault) { place.dropIns[name] = try FolderFiles.names(in: "\(folder)/\(name)") } catch {
        if error.code == ENOTDIR { place.files.append(name) } else { unread["\(folder)/\(name)"] = error.message }
      }
    }
    return place
  }

  private func read(_ sources: CatalogSources, faults: [String]) -> CatalogLoad {
    var named: [NamedFile] = []
    var faults = faults
    for path in [sources.main] + sources.dropIns {
      do throws(FileFault) {
        named.append(NamedFile(name: path, bytes: try FolderFiles.read(path, bytesMax: Self.fileBytesMax)))
      } catch { faults.append("\(path):1:1: \(error.message)") }
    }
    let files = named.map { AcceptedFile(name: Self.shortName($0.name), bytes: $0.bytes) }
    guard faults.isEmpty, let main = named.first else { return CatalogLoad(game: sources.game, files: files, outcome: .refused(faults)) }
    let reading = CatalogReader.read(CatalogFiles(main: main, dropIns: Array(named.dropFirst())))
    return CatalogLoad(game: sources.game, files: files, outcome: Self.outcome(reading))
  }

  private func hiddenKeys(_ sources: CatalogSources, winner: Catalog) -> [String] {
    let keys = Set(winner.parameters.map(\.key))
    return sources.hidden.compactMap { path in
      guard let bytes = try? FolderFiles.read(path, bytesMax: Self.fileBytesMax),
        let hidden = CatalogReader.read(CatalogFiles(main: NamedFile(name: path, bytes: bytes))).catalog
      else { return nil }
      return CatalogLocations.remark(onHidden: path, keys: hidden.parameters.map(\.key), by: sources.main, winnerKeys: keys)
    }
  }

  private static let fileBytesMax = 4 << 20

  private static func outcome(_ reading: CatalogReadResult) -> CatalogLoad.Outcome {
    guard let catalog = reading.catalog else { return .refused(reading.report) }
    return .read(catalog, warnings: reading.warnings.map(\.description))
  }

  /// Returns a file's path within its catalog folder: `game.yaml` or `game.d/file.yaml`.
  private static func shortName(_ path: String) -> String {
    let parts = path.split(separator: "/")
    guard let last = parts.last else { return path }
    guard let folder = parts.dropLast().last, folder.hasSuffix(CatalogLocations.directoryEnding) else { return String(last) }
    return "\(folder)/\(last)"
  }
}
