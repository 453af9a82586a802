// A foreign protocol, which a separate module serves over the daemon's services.

package import GameConfCore

/// A foreign protocol that a separate module serves: the tag of its calls in the OpenAPI document, and the schemas that only they use.
package struct Face: Sendable, Hashable {
  /// The tag that groups the protocol's calls in the OpenAPI document.
  package let tag: String
  /// The clients of the protocol, in a sentence.
  package let about: String
  /// The name of the schema component of its refusals.
  package let failureName: String
  /// The refusals, as an OpenAPI response.
  package let failure: Value
  /// The schemas of its bodies, by the names that the calls use.
  package let schemas: ObjectValue

  package init(tag: String, about: String, failureName: String, failure: Value, bodies: [any ForeignBody.Type]) {
    self.tag = tag
    self.about = about
    self.failureName = failureName
    self.failure = failure
    schemas = ObjectValue(bodies.map { ($0.schemaName, $0.schema) })
  }
}
