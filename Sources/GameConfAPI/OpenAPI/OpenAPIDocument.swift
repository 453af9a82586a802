// The HTTP contract as an OpenAPI 3.1 document.

public import GameConfCore

/// Builds the OpenAPI 3.1 document of any list of calls.
public enum OpenAPIDocument {
  /// Returns the document for these calls, with the schemas of their bodies as components.
  public static func build(version: String, endpoints: [Endpoint]) -> Value {
    var paths = ObjectValue()
    for endpoint in endpoints {
      var operations = paths[endpoint.path]?.objectValue ?? ObjectValue()
      operations[endpoint.method.rawValue.lowercased()] = OpenAPIOperation(endpoint).value
      paths[endpoint.path] = .object(operations)
    }
    var faces: [Face] = []
    for face in endpoints.compactMap(\.face) where !faces.contains(where: { $0.tag == face.tag }) { faces.append(face) }
    var responses = ObjectValue([("Problem", problem), ("OFREPFailure", failure), ("FirebaseFailure", firebaseFailure)])
    for face in faces { responses[face.failureName] = face.failure }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "gameconfd", "version": .string(version),
        "summary":
          "Values, overrides and flags of the games on this host, and the progress and purchases of their players, over a Unix socket.",
      ],
      "servers": [["url": "http://localhost", "description": "Over the games or the admin socket, such as /run/gameconfd/games.sock."]],
      "tags": .list(
        [
          ["name": "games", "description": "Answered on the games socket, and most of it on the admin socket."],
          ["name": "admin", "description": "Answered on the admin socket alone."],
          ["name": "metrics", "description": "Answered on the metrics port."],
        ] + faces.map { ["name": .string($0.tag), "description": .string($0.about)] }),
      "paths": .object(paths),
      "components": [
        "schemas": .object(
          ObjectValue(
            shapes.map { ($0.schemaName, $0.schema) } + bodies.foreign.map { ($0.schemaName, $0.schema) } + bodies.listed.map(listed)
              + faces.flatMap { $0.schemas.members.map { ($0.name, $0.value) } })),
        "responses": .object(responses),
        "headers": .object(headers),
      ],
    ]
  }

  /// The types of all request and answer bodies, and of their parts.
  package static let shapes = bodies.shapes

  private static let bodies = BodyTypeCollector(of: Calls.all)

  private static let headers = ObjectValue([
    (
      "ETag",
      header("A hash of the body; a weak one, without the time of the request, if the body contains that time.", SchemaFragments.string)
    ),
    ("Gameconf-Ignored", header("“locale” if it names no language and was ignored.", SchemaFragments.string)),
    ("Gameconf-Revision", header("The game's revision.", SchemaFragments.integer)),
    ("Gameconf-Player-Revision", header("The player's revision.", SchemaFragments.integer)),
    ("Gameconf-Repeated", header("true if the call was repeated and this is its first answer.", ["type": "boolean"])),
  ])

  private static func listed(_ shape: any WireShape.Type) -> (String, Value) {
    ("Listed\(shape.schemaName)", ["description": "An element of a list.", "allOf": [SchemaFragments.ref(shape)]])
  }

  private static func header(_ description: String, _ schema: Value) -> Value {
    ["description": .string(description), "schema": schema]
  }

  /// The OpenAPI response for refusals in OpenFeature's remote evaluation protocol.
  private static let failure: Value = [
    "description": "Refused, in the words of OpenFeature's remote evaluation protocol.",
    "content": [
      "application/json": [
        "schema": [
          "type": "object", "required": ["errorCode", "errorDetails"],
          "properties": [
            "key": SchemaFragments.string,
            "errorCode": [
              "type": "string",
              SchemaFragments.openList: ["FLAG_NOT_FOUND", "PARSE_ERROR", "INVALID_CONTEXT", "TARGETING_KEY_MISSING", "GENERAL"],
            ],
            "errorDetails": SchemaFragments.string,
          ],
        ]
      ]
    ],
  ]

  /// The OpenAPI response for refusals in Firebase's API: `Status` in Google's reference.
  private static let firebaseFailure: Value = [
    "description": "Refused, in the words of Google's own API.",
    "content": [
      "application/json": [
        "schema": [
          "type": "object", "required": ["error"],
          "properties": [
            "error": [
              "type": "object", "required": ["code", "message", "status"],
              "properties": ["code": SchemaFragments.integer, "message": SchemaFragments.string, "status": SchemaFragments.string],
            ]
          ],
        ]
      ]
    ],
  ]

  private static let problem: Value = [
    "description": "Refused; the code names the reason, and the detail says what to do.",
    "content": [Problem.mediaType: ["schema": SchemaFragments.ref(Problem.self)]],
  ]
}
