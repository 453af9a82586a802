// Parses a StoreKit configuration from Xcode, and converts it to a game's catalog.

public import GameConfCore

/// A catalog that was converted from one of Xcode's `.storekit` files.
///
/// Products, subscription groups, levels, periods, introductory offers, prices and names are converted. Members without a counterpart are
/// stored under `x-storekit`, in the product or at the top level. The parser accepts every version of the format with this structure, and
/// reports versions other than 3 to 6.
public struct StoreKitFile: Sendable, Hashable {
  /// The major versions of the StoreKit configuration format that are known.
  public static let formats = 3...6
  /// The maximum size of a StoreKit configuration, in bytes: 4 MiB.
  public static let bytesMax = 4 << 20

  /// The data of a game that a StoreKit configuration does not contain.
  public struct StoreKitGame: Sendable, Hashable {
    /// The game's id in gameconfd, which the catalog declares.
    public var id: String
    /// The game's display name, which becomes the catalog's `title`.
    public var title: String
    /// The app's bundle id. If a product's store id begins with it, the rest becomes the product's id.
    public var bundle: String?

    /// Creates the data of a game, by default without a bundle id.
    public init(id: String, title: String, bundle: String? = nil) {
      self.id = id
      self.title = title
      self.bundle = bundle
    }
  }

  /// The catalog in YAML, which ``CatalogReader`` accepts.
  public var yaml: String
  /// The catalog that was read from ``yaml``.
  public var catalog: Catalog
  /// The report of the conversion, about each product and each setting.
  public var report: ConversionReport

  /// Parses and converts a StoreKit configuration.
  /// - Parameter skippingInvalid: True leaves out invalid products instead of rejecting the file.
  /// - Throws: ``Faults`` with all faults.
  public init(reading bytes: [UInt8], for game: StoreKitGame, skippingInvalid: Bool = false) throws(Faults) {
    let document: Value
    do {
      document = try JSONReader.value(from: bytes.withoutByteOrderMark, limits: JSONLimits(depthMax: 64, bytesMax: Self.bytesMax))
    } catch {
      throw Faults([Fault(error.message, at: error.pointer)])
    }
    self = try skippingInvalid ? Self.skippingInvalid(document, for: game) : Self(document, for: game)
  }

  private static func skippingInvalid(_ document: Value, for game: StoreKitGame) throws(Faults) -> StoreKitFile {
    var pruned = FaultFreeDocument(document)
    while true {
      do throws(Faults) {
        var file = try StoreKitFile(pruned.value, for: game)
        for entry in pruned.leftOut { file.report.leaveOut(entry.name, entry.message) }
        return file
      } catch {
        guard pruned.remove(error.faults.map { ($0.pointer, $0.message) }), !pruned.isEmpty else { throw error }
      }
    }
  }

  private init(_ document: Value, for game: StoreKitGame) throws(Faults) {
    var conversion = StoreKitConversion(game: game)
    let written = conversion.catalog(document)
    if !conversion.faults.isEmpty { throw Faults(Array(conversion.faults.prefix(Faults.reportedMax))) }
    yaml = YAMLWriter(blockDepth: 3).text(.object(written))
    report = conversion.report
    let reading = Self.reading(of: written, game)
    guard let catalog = reading.catalog else {
      // Each product is read in a catalog alone, to find the products that a catalog may not contain.
      var faults: [Fault] = []
      for product in conversion.products.members {
        var alone = written
        alone["products"] = .object(ObjectValue([(product.name, product.value)]))
        let fault = Self.reading(of: alone, game).faults.first
        if let fault { faults.append(Fault(fault.message, at: conversion.pointers[product.name] ?? "")) }
      }
      throw Faults(faults.isEmpty ? reading.faults.map { Fault($0.message) } : faults)
    }
    self.catalog = catalog
  }

  private static func reading(of written: ObjectValue, _ game: StoreKitGame) -> CatalogReadResult {
    let text = YAMLWriter(blockDepth: 3).text(.object(written))
    return CatalogReader.read(CatalogFiles(main: NamedFile(name: "\(game.id).yaml", bytes: Array(text.utf8))))
  }
}
