// The visitor of the members of a JSON object, which writers, readers and schema writers implement.

package import GameConfCore

/// A visitor of the members of one JSON object, in the order in which the members are written.
///
/// A request or answer names each of its members in one line of its ``WirePart/walk(_:)``. The effect of a line depends on the visitor:
/// ``FieldValueWriter`` and ``JSONBuilder`` write the member, ``FieldReader`` sets it, ``FieldSchemaWriter`` describes it. The sentence in
/// a member's line is its description in the OpenAPI document.
///
/// ```swift
/// package mutating func walk(_ fields: inout some FieldWalker) {
///   fields.required("key", &key, "The key.")
///   fields.optional("player", &player, "The player; absent for the whole game.")
///   fields.whenSet("dry_run", &isDryRun, "Nothing was changed.")
/// }
/// ```
package protocol FieldWalker {
  /// Visits a member that always has a value.
  mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ presence: FieldPresence, _ about: StaticString, _ form: () -> FieldValueRule)

  /// Visits a member that may have no value.
  mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ null: NullMeaning, _ about: StaticString, _ form: () -> FieldValueRule)

  /// Visits a member whose value follows from the type. It is always written, and never read.
  mutating func written(
    _ name: StaticString, _ value: @autoclosure () -> Value, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule)

  /// Visits a member of a request that is accepted and ignored.
  mutating func ignored(_ name: StaticString, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule)

  /// Visits a nested object whose members are stored properties of the same Swift type.
  mutating func object(_ name: StaticString, _ about: StaticString, _ inside: (inout Self) -> Void)

  /// Visits members that are present together or absent together. They are present if the member `name` is.
  mutating func part<Part: WirePart>(_ part: inout Part?, with name: StaticString)

  /// Visits all members of another type. The JSON object has them in addition to the members of the walked type.
  mutating func members<Shape: WireObject>(of shape: inout Shape)

  /// Refuses the object if `isWrong` is true and no earlier member had a fault.
  /// - Parameter name: The member that the fault's pointer names; nil for the whole object.
  mutating func refuse(_ name: StaticString?, _ message: @autoclosure () -> String, if isWrong: Bool)
}

/// The rule for when a member is written, and for an object that lacks it.
package enum FieldPresence: Sendable {
  /// Always written. An object without the member is refused.
  case required
  /// Always written. If the member is absent or null, the property stays at its default.
  case usual
  /// Written unless the value is false or empty, which is also the meaning of an absent member.
  case whenSet
}

/// The meaning of null for a member that may have no value.
package enum NullMeaning: Sendable {
  /// Null is the same as an absent member. The member is not written if it has no value.
  case absent
  /// Null is a value, and differs from an absent member.
  case value
  /// A missing value is written as null, so that the member is always present.
  case written
}

extension FieldWalker {
  /// Visits a member of a request that is accepted with any value, and ignored.
  package mutating func ignored(_ name: StaticString, _ about: StaticString) { ignored(name, about, .own) }

  /// Visits a member that is always present.
  @inline(__always)
  package mutating func required<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule = .own
  ) {
    field(name, &member, .required, about, form)
  }

  /// Visits a member that is always written. If it is absent when read, the property stays at its default.
  @inline(__always)
  package mutating func usual<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule = .own
  ) {
    field(name, &member, .usual, about, form)
  }

  /// Visits a member that is written only if it is true or not empty.
  @inline(__always)
  package mutating func whenSet<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule = .own
  ) {
    field(name, &member, .whenSet, about, form)
  }

  /// Visits a member that is written only if it has a value.
  @inline(__always)
  package mutating func optional<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule = .own
  ) {
    field(name, &member, .absent, about, form)
  }

  /// Visits a member that is written only if it has a value, which may be JSON's null.
  @inline(__always)
  package mutating func optionalOrNull(
    _ name: StaticString, _ member: inout Value?, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule = .own
  ) {
    field(name, &member, .value, about, form)
  }

  /// Visits a member that is always written, as null if it has no value.
  @inline(__always)
  package mutating func nullable<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule = .own
  ) {
    field(name, &member, .written, about, form)
  }
}
