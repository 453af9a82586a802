// The types of the contract's bodies, collected from its calls.

/// The bodies of calls and their parts, each once and before its own parts.
struct BodyTypes {
  private(set) var shapes: [any WireShape.Type] = []
  private(set) var foreign: [any ForeignBody.Type] = []
  /// The shapes that occur in a list or alone.
  private(set) var listed: [any WireShape.Type] = []
  private var found: Set<ObjectIdentifier> = []

  /// Collects the bodies of these calls, and the body of refusals.
  init(of calls: [any DeclaredCall]) {
    add(Problem.self)
    for body in calls.flatMap(\.bodies) { add(body) }
  }

  private mutating func add(_ body: any CallBody.Type) {
    guard found.insert(ObjectIdentifier(body)).inserted else { return }
    if let shape = body as? any WireShape.Type {
      shapes.append(shape)
      listed += shape.listed
    } else if let body = body as? any ForeignBody.Type {
      foreign.append(body)
    }
    for part in body.parts { add(part) }
  }
}
