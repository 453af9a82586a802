// The walk over the members of a JSON object, shared by writers, readers and schema writers.

package import GameConfCore

/// Walks over the members of one JSON object in the order of writing.
///
/// A shape names each of its members in one line of its ``WirePart/walk(_:)``. The effect of a line depends on the walker:
/// ``FieldValueWriter`` and ``JSONBuilder`` write the member, ``FieldReader`` sets it, ``FieldSchemaWriter`` describes it.
/// A member's sentence is the one that OpenAPI shows.
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
    _ name: StaticString, _ member: inout Member, _ presence: FieldPresence, _ about: StaticString, _ form: () -> FieldForm)

  /// Visits a member that may have no value.
  mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ null: NullMeaning, _ about: StaticString, _ form: () -> FieldForm)

  /// Visits a member that is always written with the same value for the same shape, and never read.
  mutating func written(
    _ name: StaticString, _ value: @autoclosure () -> Value, _ about: StaticString, _ form: @autoclosure () -> FieldForm)

  /// Visits a member of a request that is accepted and ignored.
  mutating func ignored(_ name: StaticString, _ about: StaticString, _ form: @autoclosure () -> FieldForm)

  /// Visits an object within the object whose members belong to the same shape.
  mutating func object(_ name: StaticString, _ about: StaticString, _ inside: (inout Self) -> Void)

  /// Visits members that are present together or absent together; the member `name` determines which.
  mutating func part<Part: WirePart>(_ part: inout Part?, with name: StaticString)

  /// Visits all members of another shape, in addition to the shape's own.
  mutating func members<Shape: WireObject>(of shape: inout Shape)

  /// Refuses the object, unless an earlier member had a fault.
  /// - Parameter name: The member to blame; nil for the whole object.
  mutating func refuse(_ name: StaticString?, _ message: @autoclosure () -> String, if isWrong: Bool)
}

/// The presence of a member: when it is written, and whether it must be there.
package enum FieldPresence: Sendable {
  /// Always written; an object without it is refused.
  case required
  /// Always written; if it is absent or null, the shape retains its default.
  case usual
  /// Written unless it is false or empty, which is also the meaning of an absent member.
  case whenSet
}

/// The meaning of null for a member that may have no value.
package enum NullMeaning: Sendable {
  /// Null is the same as an absent member, and is not written.
  case absent
  /// Null is a value of its own.
  case value
  /// The absence of a value is written as null; the member is always present.
  case written
}

extension FieldWalker {
  /// Visits a member of a request that is accepted and ignored, with any value.
  package mutating func ignored(_ name: StaticString, _ about: StaticString) { ignored(name, about, .own) }

  /// Visits a member that is always present.
  @inline(__always)
  package mutating func required<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .required, about, form)
  }

  /// Visits a member that is always written, and has a default if a reader does not find it.
  @inline(__always)
  package mutating func usual<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .usual, about, form)
  }

  /// Visits a member that is written if it is true or not empty.
  @inline(__always)
  package mutating func whenSet<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .whenSet, about, form)
  }

  /// Visits a member that is written if it has a value.
  @inline(__always)
  package mutating func optional<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .absent, about, form)
  }

  /// Visits a member that is written if it has a value, which may be null.
  @inline(__always)
  package mutating func optionalOrNull(
    _ name: StaticString, _ member: inout Value?, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .value, about, form)
  }

  /// Visits a member that is always written, as null if it has no value.
  @inline(__always)
  package mutating func nullable<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .written, about, form)
  }
}
