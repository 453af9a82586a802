// Reads sets of overrides from files.

import GameConfAPI
import GameConfCore
import GameConfFormats

enum OverrideFile {
  /// The prefix of the keys under which a game stores overrides in UserDefaults.
  static let defaultsPrefix = "rc.override."

  /// Parses a file in the form that `config export` prints to the request that imports it.
  static func request(ofJSON bytes: [UInt8], path: String, game: String) throws(CtlFailure) -> ImportRequest {
    let value: Value
    do throws(JSONError) {
      value = try JSONReader.value(from: bytes, limits: JSONLimits(depthMax: 64, bytesMax: FileBytes.bytesMax))
    } catch {
      throw .refused(["\(path) is not JSON at byte \(error.offset): \(error.message)"])
    }
    if let other = value["game"]?.stringValue, other != game {
      throw .refused(["\(path) holds overrides of \(other), not of \(game)"])
    }
    do throws(Fault) {
      return try ImportRequest(wire: value)
    } catch {
      throw .refused(["\(path): \(error.pointer.isEmpty ? "" : error.pointer + ": ")\(error.message)"])
    }
  }

  static func members(ofPropertyList bytes: [UInt8], path: String) throws(CtlFailure) -> ObjectValue {
    let value: Value
    do throws(FormatFault) {
      value = try PropertyList.value(from: bytes)
    } catch {
      throw .refused(["\(error.diagnostic(of: path))"])
    }
    guard case .object(let members) = value else { throw .refused(["\(path): a property list of UserDefaults must be a dictionary"]) }
    return members
  }

  /// Returns an import row for each member of a property list whose name begins with ``defaultsPrefix``, sorted by name.
  static func rows(of members: ObjectValue, path: String, declared: ConfigAnswer) throws(CtlFailure) -> [ImportRow] {
    let own = members.members.filter { $0.name.hasPrefix(defaultsPrefix) }.sorted { $0.name < $1.name }
    guard !own.isEmpty else { throw .refused(["\(path): no key begins with \(defaultsPrefix)"]) }
    var types: [String: String] = [:]
    if case .full(let values) = declared.values {
      for value in values { types[value.key] = value.type }
    }
    return own.map { member in
      let key = String(member.name.dropFirst(defaultsPrefix.count))
      return ImportRow(key: key, value: fitted(member.value, to: types[key]))
    }
  }

  /// Converts a value of a property list to the key's declared type, because UserDefaults does not distinguish 2 from 2.0, or true from 1.
  static func fitted(_ value: Value, to type: String?) -> Value {
    switch (type, value) {
    case ("double", .integer(let number)): return .double(Double(number))
    case ("integer", .double(let number)): return Int64(exactly: number).map(Value.integer) ?? value
    case ("boolean", .integer(0)): return false
    case ("boolean", .integer(1)): return true
    default: return value
    }
  }
}
