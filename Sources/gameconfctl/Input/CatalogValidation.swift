// Finds catalogs in files and folders, and validates them.

import GameConfCore
import GameConfFormats

struct CatalogValidation {
  struct CheckedGame {
    var sources: CatalogSources
    var reading: CatalogReadResult
  }

  var checked: [CheckedGame] = []
  /// Remarks about whole files, for example that a file is hidden by another one.
  var remarks: [String] = []
  /// The paths of files that cannot be read, each with the reason.
  var unreadable: [String] = []

  /// Validates the catalogs in these files and folders; in the daemon's own folders if the list is empty.
  static func of(_ paths: [String]) throws(CtlFailure) -> CatalogValidation {
    var validation = CatalogValidation()
    var places: [CatalogLocation] = []
    var games: [CatalogSources] = []
    for path in paths.isEmpty ? CatalogLocations.standard.filter({ (try? FileBytes.names(in: $0)) != nil }) : paths {
      do throws(CtlFailure) {
        if let names = try FileBytes.names(in: path) {
          places.append(validation.place(path, names))
        } else {
          games.append(validation.sources(ofFile: path))
        }
      } catch {
        validation.unreadable += error.lines.map(\.unescaped)
      }
    }
    let survey = CatalogLocations.survey(places)
    validation.remarks += survey.remarks
    for sources in survey.games { validation.check(sources) }
    for sources in games { validation.check(sources, isNamed: true) }
    if paths.isEmpty, validation.checked.isEmpty, validation.unreadable.isEmpty {
      throw .refused(["there are no catalogs in \(CatalogLocations.standard.joined(separator: ", "))"])
    }
    if validation.checked.isEmpty, validation.unreadable.isEmpty {
      throw .refused(["there are no catalogs in \(paths.joined(separator: ", ")); a catalog's file is named GAME.yaml"])
    }
    return validation
  }

  /// Reads a catalog from its file and from the drop-ins beside it.
  static func catalog(inFile path: String) throws(CtlFailure) -> Catalog {
    var validation = CatalogValidation()
    let reading = try validation.read(validation.sources(ofFile: path), isNamed: true)
    guard let catalog = reading.catalog else { throw .refused(reading.report.map { "\($0)" }) }
    return catalog
  }

  var isGood: Bool { unreadable.isEmpty && checked.allSatisfy { $0.reading.catalog != nil } }

  /// Every fault and warning in the form `file:line:column: message`.
  var notes: [String] {
    unreadable + checked.flatMap { $0.reading.report }
      + checked.flatMap { $0.reading.warnings.map { "\($0.place): warning: \($0.message)" } }
      + remarks.map { "warning: \($0)" }
  }

  var table: Table {
    Table(checked) {
      Column("game") { $0.sources.game }
      Column("file") { $0.sources.main }
      Column("keys") { $0.reading.catalog?.parameters.count }
      Column("drop-ins") { $0.sources.dropIns.count }
      Column("outcome") { each in
        let faults = each.reading.faults.count + each.reading.faultsLeftOut
        return each.reading.catalog != nil ? "ok" : faults == 1 ? "1 fault" : "\(faults) faults"
      }
    }
  }

  var wire: Value {
    func faults(_ faults: [CatalogFault]) -> Value {
      .list(
        faults.map {
          [
            "file": .string($0.file), "line": .integer(Int64($0.line)), "column": .integer(Int64($0.column)),
            "message": .string($0.message),
          ]
        })
    }
    return [
      "catalogs": .list(
        checked.map { each in
          [
            "game": .string(each.sources.game), "file": .string(each.sources.main),
            "drop_ins": .list(each.sources.dropIns.map(Value.string)), "valid": .bool(each.reading.catalog != nil),
            "faults": faults(each.reading.faults), "faults_left_out": .integer(Int64(each.reading.faultsLeftOut)),
            "warnings": faults(each.reading.warnings),
          ]
        }),
      "unreadable": .list(unreadable.map(Value.string)), "remarks": .list(remarks.map(Value.string)),
    ]
  }

  private mutating func place(_ directory: String, _ names: [String]) -> CatalogLocation {
    let directory = directory.count > 1 && directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    var place = CatalogLocation(directory: directory, files: [])
    for name in names {
      guard name.hasSuffix(CatalogLocations.directoryEnding) else {
        place.files.append(name)
        continue
      }
      if let dropIns = try? FileBytes.names(in: "\(directory)/\(name)") { place.dropIns[name] = dropIns }
    }
    return place
  }

  private mutating func sources(ofFile path: String) -> CatalogSources {
    let slash = path.lastIndex(of: "/")
    let name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
    let folder = slash.map { String(path[...$0]) } ?? ""
    let isCatalog = name.hasSuffix(CatalogLocations.fileEnding)
    let game = isCatalog ? String(name.dropLast(CatalogLocations.fileEnding.count)) : name
    var sources = CatalogSources(game: game, main: path)
    let beside = folder + game + CatalogLocations.directoryEnding
    if let names = try? FileBytes.names(in: beside) {
      sources.dropIns = names.filter { $0.hasSuffix(CatalogLocations.fileEnding) }.map { "\(beside)/\($0)" }
    }
    if folder.dropLast().hasSuffix(CatalogLocations.directoryEnding) {
      remarks.append("\(path) is a drop-in; it is checked with the catalog it changes: validate the folder above")
    }
    return sources
  }

  /// Validates one catalog.
  /// - Parameter isNamed: True if the command line names the catalog's file, which may then be a pipe.
  private mutating func check(_ sources: CatalogSources, isNamed: Bool = false) {
    do throws(CtlFailure) {
      let reading = try read(sources, isNamed: isNamed)
      checked.append(CheckedGame(sources: sources, reading: reading))
      let keys = reading.catalog.map { Set($0.parameters.map(\.key)) }
      for hidden in sources.hidden {
        let other = CatalogReader.read(CatalogFiles(main: NamedFile(name: hidden, bytes: (try? FileBytes.readRegular(hidden)) ?? [])))
        if let keys, let other = other.catalog,
          let remark = CatalogLocations.remark(onHidden: hidden, keys: other.parameters.map(\.key), by: sources.main, winnerKeys: keys)
        {
          remarks.append(remark)
        }
      }
    } catch {
      unreadable += error.lines.map(\.unescaped)
    }
  }

  private func read(_ sources: CatalogSources, isNamed: Bool) throws(CtlFailure) -> CatalogReadResult {
    var dropIns: [NamedFile] = []
    let bytes = isNamed ? try FileBytes.read(sources.main) : try FileBytes.readRegular(sources.main)
    let main = NamedFile(name: sources.main, bytes: bytes)
    for path in sources.dropIns { dropIns.append(NamedFile(name: path, bytes: try FileBytes.readRegular(path))) }
    return CatalogReader.read(CatalogFiles(main: main, dropIns: dropIns))
  }
}

extension CatalogFault {
  fileprivate var place: String { "\(file):\(line):\(column)" }
}
