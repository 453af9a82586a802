// The types of request and answer bodies, collected from all calls.

/// The types of all request and answer bodies, and the types that their schemas refer to. Each type occurs once, before the types it
/// refers to.
struct BodyTypeCollector {
  private(set) var shapes: [any WireShape.Type] = []
  private(set) var foreign: [any ForeignBody.Type] = []
  /// The types that occur in bodies both as a single value and as elements of a list.
  private(set) var listed: [any WireShape.Type] = []
  private var found: Set<ObjectIdentifier> = []

  /// Collects the types of the bodies of these calls, and the type ``Problem`` of refusals.
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
