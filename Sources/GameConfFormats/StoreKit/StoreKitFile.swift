// Reads an Xcode StoreKit configuration and writes it as a game's catalog.

public import GameConfCore

/// A `.storekit` file as a catalog.
///
/// Products, subscription groups, levels, periods, introductory offers, prices and names come over; a locale `en_US` becomes `en-US`. What
/// the catalog has no word for is kept under `x-storekit`, at the product or at the top. Any format of that shape is read; of others than 3 to 6
/// a remark says so.
public struct StoreKitFile: Sendable, Hashable {
  /// The formats that are read without a remark, by their major version.
  public static let formats = 3...6
  /// The most bytes of a file.
  public static let bytesMax = 4 << 20

  /// The further facts of the game for the catalog.
  public struct Game: Sendable, Hashable {
    /// The game's id.
    public var id: String
    /// Its name, for people.
    public var title: String
    /// Its bundle id: a product whose store id begins with it is named by the rest.
    public var bundle: String?

    /// A game.
    public init(id: String, title: String, bundle: String? = nil) {
      self.id = id
      self.title = title
      self.bundle = bundle
    }
  }

  /// The catalog's YAML; ``CatalogReader`` accepts it.
  public var yaml: String
  /// The catalog.
  public var catalog: Catalog
  /// The account of each product and of the settings.
  public var report: ConversionReport

  /// Reads a configuration.
  /// - Parameter skippingInvalid: leaves out products that are not admitted instead of refusing the file for them.
  /// - Throws: every fault found, when there is one.
  public init(reading bytes: [UInt8], for game: Game, skippingInvalid: Bool = false) throws(Faults) {
    let document: Value
    do {
      document = try JSONReader.value(from: bytes.withoutByteOrderMark, limits: JSONLimits(depthMax: 64, bytesMax: Self.bytesMax))
    } catch {
      throw Faults([Fault(error.message, at: error.pointer)])
    }
    self = try skippingInvalid ? Self.skippingInvalid(document, for: game) : Self(document, for: game)
  }

  private static func skippingInvalid(_ document: Value, for game: Game) throws(Faults) -> StoreKitFile {
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

  private init(_ document: Value, for game: Game) throws(Faults) {
    var conversion = StoreKitConversion(game: game)
    let written = conversion.catalog(document)
    if !conversion.faults.isEmpty { throw Faults(Array(conversion.faults.prefix(Faults.reportedMax))) }
    yaml = YAMLWriter(blockDepth: 3).text(.object(written))
    report = conversion.report
    let reading = Self.reading(of: written, game)
    guard let catalog = reading.catalog else {
      // Each product is read alone, to find those that the catalog's own rules refuse.
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

  private static func reading(of written: ObjectValue, _ game: Game) -> CatalogReadResult {
    let text = YAMLWriter(blockDepth: 3).text(.object(written))
    return CatalogReader.read(CatalogFiles(main: NamedFile(name: "\(game.id).yaml", bytes: Array(text.utf8))))
  }
}
