// Values as they are typed on a command line.

import GameConfCore

enum ValueText {
  /// The argument for JSON on standard input, for any type.
  private static let standardInput = "@-"

  /// Returns the value of a text, parsed as the parameter's declared type.
  ///
  /// A text that does not fit the type is sent as the type that it resembles: the daemon reports the fault.
  /// - Parameter file: Reads the file of an argument `@FILE`, which lists, objects and localized texts may come from.
  static func value(
    _ text: String, type: ParameterType, file: (String) throws(CtlFailure) -> [UInt8] = FileBytes.read
  ) throws(CtlFailure) -> Value {
    if text == standardInput { return try json(text, file: file) }
    switch type {
    case .string: return .string(text)
    case .boolean: return Value(switchWord: text) ?? .string(text)
    case .integer: return try number(text) ?? .string(text)
    case .double:
      guard let number = try number(text) else { return .string(text) }
      return number.numberValue.map(Value.double) ?? number
    case .list, .object: return try json(text, file: file)
    case .localized: return text.hasPrefix("{") || text.hasPrefix("@") ? try json(text, file: file) : .string(text)
    }
  }

  /// Reads JSON from the text or from `@FILE`.
  static func json(
    _ text: String, file: (String) throws(CtlFailure) -> [UInt8] = FileBytes.read
  ) throws(CtlFailure) -> Value {
    let bytes = text.hasPrefix("@") ? try file(String(text.dropFirst())) : Array(text.utf8)
    do throws(JSONError) {
      return try JSONReader.value(from: bytes)
    } catch {
      let place = text.hasPrefix("@") ? String(text.dropFirst()) : "the value"
      throw .refused(["\(place) is not JSON at byte \(error.offset): \(error.message)"])
    }
  }

  private static func number(_ text: String) throws(CtlFailure) -> Value? {
    do throws(JSONError) {
      let value = try JSONReader.value(from: text.utf8)
      // Not `? nil : value`: a bare nil would be JSON's null.
      guard value.numberValue != nil else { return .none }
      return value
    } catch {
      if error.code == .numberOutOfRange { throw .refused(["\(text): \(error.message)"]) }
      return nil
    }
  }
}
