// Ids for the names that other systems have, which may be any text.

/// The ids that a catalog gives to names of another system.
///
/// A name that may be an id stays one. Any other gets an id made of its letters and digits, and becomes its alias.
public struct ForeignNames: Sendable, Hashable {
  /// A name and the id that stands for it.
  public struct Pair: Sendable, Hashable {
    /// The name of the other system.
    public var alias: String
    /// The id in the catalog.
    public var id: String
  }

  /// The names that became aliases, in the order of the document.
  public private(set) var pairs: [Pair] = []
  private var ids: [String: String] = [:]

  /// Makes ids for these names.
  public init(_ names: [String]) {
    var taken: Set<String> = []
    for name in names where CatalogNames.complaint(about: name, as: .parameter) == nil {
      ids[name] = name
      taken.insert(name)
    }
    for name in names where ids[name] == nil && CatalogNames.complaint(aboutAlias: name) == nil {
      let id = Self.id(for: name, besides: taken)
      ids[name] = id
      taken.insert(id)
      pairs.append(Pair(alias: name, id: id))
    }
  }

  /// The id of a name; nil where the name can be neither an id nor an alias.
  public func id(of name: String) -> String? { ids[name] }

  /// The alias of a name; nil where the name is an id.
  public func alias(of name: String) -> String? { ids[name] == name ? nil : ids[name].map { _ in name } }

  /// The first of `NAME`, `NAME_2`, `NAME_3` and so on that is free.
  private static func id(for name: String, besides taken: Set<String>) -> String {
    // Room for the number of a clash.
    var base = String(decoding: name.utf8.prefix(120).map { isPart($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    if base.utf8.first.map({ (0x30...0x39).contains($0) }) ?? true { base = "_" + base }
    var (id, number) = (base, 1)
    while taken.contains(id) || CatalogNames.complaint(about: id, as: .parameter) != nil {
      number += 1
      id = "\(base)_\(number)"
    }
    return id
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
  }
}
