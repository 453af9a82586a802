// Bodies in the forms of other systems. The handlers of their calls parse them.

package import GameConfCore

/// A JSON body in a form that another system defines. The contract describes only the members that the daemon reads.
package protocol ForeignBody: BytesBody {
  static var schema: Value { get }
}

extension ForeignBody {
  /// The name of the schema component, which is the Swift type's name.
  package static var schemaName: String { _typeName(Self.self, qualified: false) }
  /// Optional JSON of the type's schema.
  package static var content: Endpoint.BodyContent { .json(schema: schemaName, required: false) }

  /// Returns the schema of an object that may have further members.
  package static func object(_ about: String, _ members: [(String, Value)]) -> Value {
    [
      "type": "object", "description": .string(about), "properties": .object(ObjectValue(members)), "additionalProperties": true,
    ]
  }

  /// Returns the schema of a text with this description.
  package static func text(_ about: String) -> Value { ["type": "string", "description": .string(about)] }

  /// Returns the schema of an object that has any names and values of one schema.
  fileprivate static func map(_ about: String, of schema: Value = [:]) -> Value {
    ["type": "object", "description": .string(about), "additionalProperties": schema]
  }
}

/// The body of a call of the OpenFeature Remote Evaluation Protocol.
package struct OFREPRequest: ForeignBody {
  package static var schema: Value {
    let context: Value = [
      "type": ["object", "null"], "description": "Attributes of the caller: locale, platform, app_version, country, …",
      "properties": [
        "targetingKey": ["type": ["string", "null"], "description": "The player."],
        "play": ["type": ["string", "null"], "description": "The play whose pinned values are wanted."],
      ],
      "additionalProperties": true,
    ]
    return object("For whom flags are evaluated, as OpenFeature's remote evaluation protocol has it.", [("context", context)])
  }
  package init() {}
}

package struct FirebaseFetchRequest: ForeignBody {
  package static var schema: Value {
    object(
      "Who fetches, as Firebase's clients say it; each member is read in camel case too.",
      [
        ("app_instance_id", text("The player.")), ("app_id", text("1:PROJECT:ios:HASH, of which the platform is read.")),
        ("app_version", text("The attribute app_version.")), ("app_build", text("The attribute app_build.")),
        ("country_code", text("The attribute country.")), ("language_code", text("The attribute locale.")),
        ("platform_version", text("The attribute os_version.")), ("time_zone", text("The attribute time_zone.")),
        ("analytics_user_properties", map("Attributes by name.")), ("custom_signals", map("Attributes by name, over the properties.")),
      ])
  }
  package init() {}
}

/// The body with which Firebase's clients subscribe to notifications of a changed template.
package struct FirebaseInvalidationsRequest: ForeignBody {
  package static var schema: Value {
    object(
      "The client, in the words of Firebase's clients. Each member is read in snake case too.",
      [
        ("appInstanceId", text("The player.")),
        ("lastKnownVersionNumber", text("The client's own version; the stream begins with the newest one whatever it is.")),
      ])
  }
  package init() {}
}

package struct FirebaseTemplateBody: ForeignBody {
  package static var schema: Value {
    let value: Value = [
      "type": "object", "properties": ["value": ["type": "string"], "useInAppDefault": ["type": "boolean"]], "additionalProperties": true,
    ]
    let parameter = object(
      "A parameter.",
      [
        ("defaultValue", value), ("conditionalValues", map("Values by the name of their condition.", of: value)),
        ("valueType", ["type": "string", "enum": ["PARAMETER_VALUE_TYPE_UNSPECIFIED", "STRING", "BOOLEAN", "NUMBER", "JSON"]]),
        ("description", ["type": "string"]),
      ])
    let condition = object(
      "A condition: an expression in a client's template, an object in a server's.",
      [("name", ["type": "string"]), ("expression", ["type": "string"]), ("condition", map("A condition as servers evaluate it."))])
    let parameters = map("Parameters by key.", of: parameter)
    return object(
      "A template as Firebase's reference has it.",
      [
        ("conditions", ["type": "array", "items": condition]), ("parameters", parameters),
        ("parameterGroups", map("Groups by name.", of: object("A group.", [("parameters", parameters)]))),
        ("version", object("What is published; its description is the reason in the audit log.", [("description", ["type": "string"])])),
      ])
  }
  package init() {}
}

package struct FirebaseRollbackRequest: ForeignBody {
  package static var schema: Value {
    let number: Value = ["type": ["string", "integer"], "description": "The version to go back to, where the query does not name it."]
    return object("Which version becomes current again.", [("versionNumber", number)])
  }
  package init() {}
}

/// A template in gameconfd's own form, with values and rules by key.
package struct OwnTemplateBody: ForeignBody {
  package static var schema: Value {
    let rules = map("Rules by key, as catalogs have them.", of: ["type": "array", "items": [:]])
    return [
      "type": "object", "description": "A template in our own form.", "required": ["gameconf_template"],
      "properties": [
        "gameconf_template": ["const": 1], "game": text("The game it is for."), "description": text("What it is for."),
        "values": map("Values by key."), "rules": rules,
      ],
      "additionalProperties": false,
    ]
  }
  package init() {}
}

package struct FlagdTemplateBody: ForeignBody {
  package static var schema: Value {
    [
      "type": "object", "description": "flagd's flags.", "required": ["flags"],
      "properties": ["flags": map("Flags by key.")], "additionalProperties": true,
    ]
  }
  package init() {}
}

/// A template in JSON, unchanged. It is in gameconfd's own form, in Firebase Remote Config's, or in flagd's.
package struct TemplateDocument: ForeignBody {
  package static var content: Endpoint.BodyContent { .json(schema: schemaName) }
  package static var schema: Value {
    [
      "description": "A template, in one of three forms.",
      "anyOf": .list(forms.map { ["$ref": .string("#/components/schemas/\($0.schemaName)")] }),
    ]
  }
  /// The three forms of a template. Each is a schema component, because a code generator has no name for an inline schema.
  private static let forms: [any ForeignBody.Type] = [OwnTemplateBody.self, FirebaseTemplateBody.self, FlagdTemplateBody.self]
  package static var parts: [any CallBody.Type] { forms }
  /// An example template in the form of Firebase Remote Config.
  package static var example: Value? {
    ["parameters": ["arcade_difficulty_step": ["defaultValue": ["value": "6"], "valueType": "NUMBER"]]]
  }
  package init() {}
}
