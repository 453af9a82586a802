// The input and the output of parsing a catalog.

/// A catalog file as the caller read it, which is not parsed yet.
public struct NamedFile: Sendable, Hashable {
  /// The name that messages show. Its last path component is `GAME.yaml`.
  public var name: String
  /// The file's contents, which are not validated yet.
  public var bytes: [UInt8]

  /// Creates a file from contents that the caller has read.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// The files that make up the catalog of one game.
public struct CatalogFiles: Sendable, Hashable {
  /// The main file, `GAME.yaml`.
  public var main: NamedFile
  /// The drop-ins, `GAME.d/*.yaml`, in the order in which they apply.
  public var dropIns: [NamedFile]

  /// Creates the files of a game, by default without drop-ins.
  public init(main: NamedFile, dropIns: [NamedFile] = []) {
    self.main = main
    self.dropIns = dropIns
  }
}

/// An error or a warning at a position in one of a catalog's files.
public struct CatalogFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the file at fault, in the form of ``NamedFile/name``.
  public var file: String
  /// The line number, counted from 1.
  public var line: Int
  /// The column in Unicode scalars, counted from 1.
  public var column: Int
  /// A sentence that names the fault and the valid form.
  public var message: String

  /// Creates a fault at a line and a column, both counted from 1.
  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// The fault in the form of compiler messages, `file:line:column: message`.
  public var description: String { "\(file):\(line):\(column): \(message)" }
}

/// The result of parsing a catalog: the catalog or its faults, and warnings.
public struct CatalogReadResult: Sendable {
  /// The largest number of faults that a result lists, and the largest number of warnings.
  public static let faultsMax = 100

  /// The parsed catalog; nil if there are any faults.
  public var catalog: Catalog?
  /// The faults, in the order of the files and their lines, at most ``faultsMax``.
  public var faults: [CatalogFault]
  /// The number of faults beyond ``faultsMax``, which are found but not listed.
  public var faultsLeftOut: Int
  /// The findings that do not prevent the catalog from being accepted, at most ``faultsMax``.
  public var warnings: [CatalogFault]

  /// Creates a result, by default without faults or warnings.
  public init(catalog: Catalog?, faults: [CatalogFault] = [], faultsLeftOut: Int = 0, warnings: [CatalogFault] = []) {
    self.catalog = catalog
    self.faults = faults
    self.faultsLeftOut = faultsLeftOut
    self.warnings = warnings
  }

  /// The faults as lines of text. If some are not listed, a last line says how many.
  public var report: [String] {
    faults.map(\.description) + (faultsLeftOut > 0 ? ["and \(faultsLeftOut) more"] : [])
  }
}
