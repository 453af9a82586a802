// Generates ids for names from other systems, which may contain any characters.

/// A mapping from the names in an imported file, such as a Firebase template or a flagd file, to ids of the catalog.
///
/// A name that is a valid id is used unchanged. Any other name gets an id derived from its letters and digits, and becomes the alias of
/// that id.
public struct ForeignNames: Sendable, Hashable {
  /// A name of the imported file and the id that was generated for it.
  public struct NameAlias: Sendable, Hashable {
    /// The name in the imported file.
    public var alias: String
    /// The id in the catalog that was generated from the name.
    public var id: String
  }

  /// The names that are not valid ids, each with its generated id, in the order of the input.
  public private(set) var pairs: [NameAlias] = []
  private var ids: [String: String] = [:]

  /// Creates the mapping. Valid ids are reserved first, so that a generated id never collides with one.
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
      pairs.append(NameAlias(alias: name, id: id))
    }
  }

  /// Returns the id for a name; nil if the name is valid neither as an id nor as an alias.
  public func id(of name: String) -> String? { ids[name] }

  /// Returns the name if it becomes the alias of a generated id; nil if it is itself the id, or is not valid.
  public func alias(of name: String) -> String? { ids[name] == name ? nil : ids[name].map { _ in name } }

  /// Returns the first unused id among `NAME`, `NAME_2`, `NAME_3` and so on.
  private static func id(for name: String, besides taken: Set<String>) -> String {
    // The prefix of 120 bytes leaves space for the suffix, since an id has at most 128.
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
