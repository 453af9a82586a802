// The differences between two catalogs, in the form of the audit log.

internal import GameConfCore

/// The differences between two catalogs of a game: the differing fields of parameters, and the names of other differing parts.
struct CatalogChanges {
  /// The most parameters reported with their fields. Further parameters are only named.
  static let keysMax = 50
  /// The most differing parameters whose names are reported. Of further ones only the number is reported.
  static let namesMax = 500
  /// The longest reported value of a field, in bytes of JSON. Of a longer value only the length is reported.
  static let fieldBytesMax = 1_024

  /// The former values of the differing fields, by parameter; nil if there was no catalog.
  let before: Value?
  /// The present values of the differing fields, by parameter.
  let after: Value?
  /// Every differing parameter, in the order of the new catalog, followed by removed ones.
  let keys: [String]
  private let parts: [String]

  init(from old: Catalog?, to new: Catalog) {
    guard let old else {
      (before, after, keys, parts) = (nil, nil, [], [])
      return
    }
    var former: [String: Parameter] = [:]
    for parameter in old.parameters { former[parameter.key] = parameter }
    var changed: [(key: String, before: Parameter?, after: Parameter?)] = []
    for parameter in new.parameters {
      let other = former.removeValue(forKey: parameter.key)
      if other != parameter { changed.append((parameter.key, other, parameter)) }
    }
    changed += old.parameters.filter { former[$0.key] != nil }.map { ($0.key, $0, nil) }
    var (was, isNow) = (ObjectValue(), ObjectValue())
    for each in changed.prefix(Self.keysMax) {
      let (left, right) = Self.differing(each.before, each.after)
      if each.before != nil { was[each.key] = left }
      if each.after != nil { isNow[each.key] = right }
    }
    before = was.isEmpty ? nil : .some(.object(was))
    after = isNow.isEmpty ? nil : .some(.object(isNow))
    keys = changed.map(\.key)
    parts = Self.parts(old, new)
  }

  /// Returns the differing fields of a parameter's two versions. If one version is nil, returns only the default of the other.
  private static func differing(_ left: Parameter?, _ right: Parameter?) -> (Value, Value) {
    let isSecret = left?.isSecret == true || right?.isSecret == true
    func fields(_ parameter: Parameter?) -> ObjectValue {
      guard var parameter else { return ObjectValue() }
      // If either version is secret, both are masked.
      parameter.isSecret = isSecret
      return CatalogDescription.parameter(parameter).objectValue ?? ObjectValue()
    }
    let (one, other) = (fields(left), fields(right))
    guard left != nil, right != nil else { return (.object(defaults(one)), .object(defaults(other))) }
    let names = Set(one.names).union(other.names).sorted().filter { one[$0] != other[$0] }
    func only(_ object: ObjectValue) -> Value {
      .object(ObjectValue(names.compactMap { name in object[name].map { (name, bounded($0)) } }))
    }
    // The visible fields are equal, so a secret default differs.
    if names.isEmpty { return (["default": CatalogDescription.mask], ["default": CatalogDescription.mask]) }
    return (only(one), only(other))
  }

  private static func defaults(_ object: ObjectValue) -> ObjectValue {
    ObjectValue(object["default"].map { [("default", bounded($0))] } ?? [])
  }

  private static func bounded(_ value: Value) -> Value {
    let bytes = JSONWriter.bytes(value).count
    return bytes > fieldBytesMax ? .string("\(bytes) bytes of JSON") : value
  }

  /// Returns the names of the catalogs' differing parts, without the parameters.
  private static func parts(_ old: Catalog, _ new: Catalog) -> [String] {
    var (left, right) = (CatalogDescription.value(of: old).objectValue ?? ObjectValue(), ObjectValue())
    right = CatalogDescription.value(of: new).objectValue ?? ObjectValue()
    (left["parameters"], right["parameters"]) = (nil, nil)
    let names = left.names + right.names.filter { left[$0] == nil }
    return names.filter { left[$0] != right[$0] }
  }

  /// Returns a warning for each parameter whose percentage rules may select other players, because the alias that seeds the selection was
  /// added, removed or changed.
  static func movedShares(from old: Catalog?, to new: GameSnapshot) -> [String] {
    let before = Dictionary((old?.parameters ?? []).map { ($0.key, $0.foreignName) }) { first, _ in first }
    return new.table.entries.compactMap { entry in
      let (key, name) = (entry.parameter.key, entry.parameter.foreignName)
      guard let former = before[key], former != name, entry.drawsByName else { return nil }
      return "\(key): its name in other systems was “\(former)” and is “\(name)”, which seeds its shares: players may get another value"
    }
  }

  /// Returns the details of the acceptance's audit line, such as its number, its files and the changed keys.
  func detail(number: Int64, former: Int64?, _ acceptance: CatalogAcceptance) -> ObjectValue {
    var detail: ObjectValue = ["catalog": .integer(number)]
    detail["former"] = former.map(Value.integer)
    detail["cause"] = acceptance.cause.map(Value.string)
    detail["files"] = .list(acceptance.files.map { .string($0.name) })
    if !keys.isEmpty { detail["keys"] = .list(keys.prefix(Self.namesMax).map(Value.string)) }
    if keys.count > Self.namesMax { detail["more_keys"] = .integer(Int64(keys.count - Self.namesMax)) }
    if !parts.isEmpty { detail["parts"] = .list(parts.map(Value.string)) }
    return detail
  }
}
