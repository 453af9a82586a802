// Parses values of parameters as they are typed on a command line.

import GameConfCore

enum ValueText {
  /// The argument that means JSON on standard input, for a value of any type.
  private static let standardInput = "@-"

  /// Parses a value by the declared type of its parameter.
  ///
  /// A text that does not fit the type is sent as the type that it resembles, so that the daemon reports the fault.
  /// - Parameter file: Reads the file of an argument `@FILE`, which may contain a list, an object or a localized text.
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

  /// Parses JSON that is typed, or that the file of an argument `@FILE` contains.
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
      // The form `? nil : value` would be wrong here: a bare nil would become JSON's null.
      guard value.numberValue != nil else { return .none }
      return value
    } catch {
      if error.code == .numberOutOfRange { throw .refused(["\(text): \(error.message)"]) }
      return nil
    }
  }
}
