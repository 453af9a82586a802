// A protocol of other programs, which a module of its own serves over the daemon's services.

package import GameConfCore

/// A protocol that a module of its own serves: the tag of its calls in the OpenAPI document, and the schemas that only they use.
package struct Face: Sendable, Hashable {
  /// The tag of its calls.
  package let tag: String
  /// The clients that call it, in a sentence.
  package let about: String
  /// The name of the component that describes its refusals.
  package let failureName: String
  /// Its refusals, as an OpenAPI response.
  package let failure: Value
  /// The schemas of its bodies, by the names that the calls have for them.
  package let schemas: ObjectValue

  /// A protocol.
  package init(tag: String, about: String, failureName: String, failure: Value, bodies: [any ForeignBody.Type]) {
    self.tag = tag
    self.about = about
    self.failureName = failureName
    self.failure = failure
    schemas = ObjectValue(bodies.map { ($0.schemaName, $0.schema) })
  }
}
