// The description of a foreign protocol, such as RevenueCat's, which a separate module serves.

package import GameConfCore

/// A foreign protocol that a separate module serves: the tag of its calls in the OpenAPI document, and the schemas that only these calls
/// use.
package struct Face: Sendable, Hashable {
  /// The tag that groups the protocol's calls in the OpenAPI document.
  package let tag: String
  /// A sentence about the clients of the protocol.
  package let about: String
  /// The name of the OpenAPI component that describes the protocol's refusals.
  package let failureName: String
  /// The protocol's refusals, as an OpenAPI response.
  package let failure: Value
  /// The schemas of the protocol's bodies, by name.
  package let schemas: ObjectValue

  package init(tag: String, about: String, failureName: String, failure: Value, bodies: [any ForeignBody.Type]) {
    self.tag = tag
    self.about = about
    self.failureName = failureName
    self.failure = failure
    schemas = ObjectValue(bodies.map { ($0.schemaName, $0.schema) })
  }
}
