// The changes of a new catalog, as the audit log reports them.

internal import GameConfCore

/// The differences between two catalogs of a game: parameters with the fields that differ, the other parts by name.
struct CatalogChanges {
  /// The most parameters that are reported with their fields; of all, the names are reported.
  static let keysMax = 50
  /// The most names of parameters that are reported.
  static let namesMax = 500
  /// The most bytes of JSON that a field may have to be reported.
  static let fieldBytesMax = 1_024

  /// Parameters by key, each with the fields that differ as they were; nil when there was no catalog.
  let before: Value?
  /// The same as they are.
  let after: Value?
  /// Every parameter that differs, in the order of the new catalog, then those that are gone.
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

  /// The fields that differ, of both; of one that is there alone, its default.
  private static func differing(_ left: Parameter?, _ right: Parameter?) -> (Value, Value) {
    let isSecret = left?.isSecret == true || right?.isSecret == true
    func fields(_ parameter: Parameter?) -> ObjectValue {
      guard var parameter else { return ObjectValue() }
      // A value that was secret once, or is now, is reported in neither.
      parameter.isSecret = isSecret
      return CatalogDescription.parameter(parameter).objectValue ?? ObjectValue()
    }
    let (one, other) = (fields(left), fields(right))
    guard left != nil, right != nil else { return (.object(defaults(one)), .object(defaults(other))) }
    let names = Set(one.names).union(other.names).sorted().filter { one[$0] != other[$0] }
    func only(_ object: ObjectValue) -> Value {
      .object(ObjectValue(names.compactMap { name in object[name].map { (name, bounded($0)) } }))
    }
    // Where nothing that is shown differs, a secret does.
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

  /// The parts besides parameters that differ, by their names in a catalog.
  private static func parts(_ old: Catalog, _ new: Catalog) -> [String] {
    var (left, right) = (CatalogDescription.value(of: old).objectValue ?? ObjectValue(), ObjectValue())
    right = CatalogDescription.value(of: new).objectValue ?? ObjectValue()
    (left["parameters"], right["parameters"]) = (nil, nil)
    let names = left.names + right.names.filter { left[$0] == nil }
    return names.filter { left[$0] != right[$0] }
  }

  /// The parameters whose shares are computed again because their alias was added, removed or changed, a sentence each.
  static func movedShares(from old: Catalog?, to new: GameSnapshot) -> [String] {
    let before = Dictionary((old?.parameters ?? []).map { ($0.key, $0.foreignName) }) { first, _ in first }
    return new.table.entries.compactMap { entry in
      let (key, name) = (entry.parameter.key, entry.parameter.foreignName)
      guard let former = before[key], former != name, entry.drawsByName else { return nil }
      return "\(key): its name in other systems was “\(former)” and is “\(name)”, which seeds its shares: players may get another value"
    }
  }

  /// The further details of the line of the audit log.
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
