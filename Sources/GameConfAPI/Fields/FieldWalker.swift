// The walk over the members of a JSON object, which writers, readers and descriptions of them share.

package import GameConfCore

/// Goes over the members of one JSON object, in the order in which they are written.
///
/// A shape names each of its members in one line of its ``WirePart/walk(_:)``; what happens there is up to the walker:
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
  /// A member that has a value always.
  mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ presence: FieldPresence, _ about: StaticString, _ form: () -> FieldForm)

  /// A member that may have none.
  mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ null: NullMeaning, _ about: StaticString, _ form: () -> FieldForm)

  /// A member that is always written the same for the same shape, and never read.
  mutating func written(
    _ name: StaticString, _ value: @autoclosure () -> Value, _ about: StaticString, _ form: @autoclosure () -> FieldForm)

  /// A member of a request that is admitted and means nothing.
  mutating func ignored(_ name: StaticString, _ about: StaticString, _ form: @autoclosure () -> FieldForm)

  /// An object within the object whose members belong to the same shape.
  mutating func object(_ name: StaticString, _ about: StaticString, _ inside: (inout Self) -> Void)

  /// Members that are there together or not at all; the one of that name says which.
  mutating func part<Part: WirePart>(_ part: inout Part?, with name: StaticString)

  /// All members of another shape, beside the own ones.
  mutating func members<Shape: WireObject>(of shape: inout Shape)

  /// Refuses what was read, unless an earlier member was at fault.
  /// - Parameter name: the member to blame; nil for the whole object.
  mutating func refuse(_ name: StaticString?, _ message: @autoclosure () -> String, if isWrong: Bool)
}

/// The presence of a member: when it is written, and whether it must be there.
package enum FieldPresence: Sendable {
  /// Written always; what lacks it is refused.
  case required
  /// Written always; where it is absent or null the shape keeps what it says by itself.
  case usual
  /// Written unless it is false or empty, which is also what its absence means.
  case whenSet
}

/// The meaning of null for a member that may have no value.
package enum NullMeaning: Sendable {
  /// Null is the same as an absent member, and is not written.
  case absent
  /// Null is a value.
  case value
  /// No value is written as null; the member is always there.
  case written
}

extension FieldWalker {
  /// A member of a request that is admitted and means nothing, whatever it is.
  package mutating func ignored(_ name: StaticString, _ about: StaticString) { ignored(name, about, .own) }

  /// A member that is always there.
  @inline(__always)
  package mutating func required<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .required, about, form)
  }

  /// A member that is always written, and has a value of its own where a reader does not find it.
  @inline(__always)
  package mutating func usual<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .usual, about, form)
  }

  /// A member that is written when it is true or not empty.
  @inline(__always)
  package mutating func whenSet<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .whenSet, about, form)
  }

  /// A member that is written when there is a value.
  @inline(__always)
  package mutating func optional<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .absent, about, form)
  }

  /// A member that is written when there is a value, which may be null.
  @inline(__always)
  package mutating func optionalOrNull(
    _ name: StaticString, _ member: inout Value?, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .value, about, form)
  }

  /// A member that is always written, as null where there is no value.
  @inline(__always)
  package mutating func nullable<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ about: StaticString, _ form: @autoclosure () -> FieldForm = .own
  ) {
    field(name, &member, .written, about, form)
  }
}
