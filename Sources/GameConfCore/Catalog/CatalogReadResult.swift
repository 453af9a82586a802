// The input and the result of reading a catalog: the words that the reader of files and the daemon share.

/// A file's name and what is in it.
public struct NamedFile: Sendable, Hashable {
  /// The name of the file in messages; its last component is the game's id and `.yaml`.
  public var name: String
  /// The contents of the file.
  public var bytes: [UInt8]

  /// A file.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Everything that one game is described in.
public struct CatalogFiles: Sendable, Hashable {
  /// `<game>.yaml`.
  public var main: NamedFile
  /// `<game>.d/*.yaml`, in the order they apply.
  public var dropIns: [NamedFile]

  /// The files of a game.
  public init(main: NamedFile, dropIns: [NamedFile] = []) {
    self.main = main
    self.dropIns = dropIns
  }
}

/// Something that is wrong, or odd, in a catalog's file.
public struct CatalogFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file's name as it was given.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column in Unicode scalars, from 1.
  public var column: Int
  /// The fault, and the state that would be right.
  public var message: String

  /// A fault at a place.
  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `file:line:column: message`.
  public var description: String { "\(file):\(line):\(column): \(message)" }
}

/// The result of reading a catalog.
public struct CatalogReadResult: Sendable {
  /// The most faults, and the most warnings, that are reported.
  public static let faultsMax = 100

  /// The catalog; nil when there is any fault.
  public var catalog: Catalog?
  /// Everything that is wrong, in the order of the files.
  public var faults: [CatalogFault]
  /// The number of faults beyond ``faultsMax``.
  public var faultsLeftOut: Int
  /// The findings that are odd and yet accepted.
  public var warnings: [CatalogFault]

  /// A reading.
  public init(catalog: Catalog?, faults: [CatalogFault] = [], faultsLeftOut: Int = 0, warnings: [CatalogFault] = []) {
    self.catalog = catalog
    self.faults = faults
    self.faultsLeftOut = faultsLeftOut
    self.warnings = warnings
  }

  /// One line for each fault, and a last one when there were more.
  public var report: [String] {
    faults.map(\.description) + (faultsLeftOut > 0 ? ["and \(faultsLeftOut) more"] : [])
  }
}
