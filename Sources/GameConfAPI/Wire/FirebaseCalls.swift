// The calls of Firebase Remote Config, as Google's reference specifies them: https://firebase.google.com/docs/reference/remote-config/rest
//
// A project is a game: the game's id takes the place of the Firebase project's.

internal import GameConfCore

/// An answer body in the form that Google's reference describes.
package struct FirebaseBody: BytesBody {
  package static let content = Endpoint.BodyContent.bytes(mediaType: "application/json", required: false)
  package init() {}
}

/// Default values in the format that the client requests, as JSON or as XML: Firebase serves property lists as XML, too.
package struct FirebaseDefaultsFile: BytesBody {
  package static let content = Endpoint.BodyContent.bytes(mediaType: "application/json", or: "application/xml")
  package init() {}
}

extension Calls {
  private static let firebaseProject = "/v1/projects/{project}"
  private static let firebaseNamespace = firebaseProject + "/namespaces/{namespace}"
  private static let firebaseServer = ["namespace": "firebase-server"]
  private static var firebaseExample: Value {
    [
      "parameters": ["arcade_difficulty_step": ["defaultValue": ["value": "9"], "valueType": "NUMBER"]],
      "version": ["description": "as the console has it"],
    ]
  }
  private static var firebasePut: CallExample { CallExample(headers: ["If-Match": "*"], body: firebaseExample) }

  package static let firebaseTemplate = Call<NoBody, FirebaseTemplateBody>(
    "firebaseTemplate", .get, firebaseProject + "/remoteConfig", on: admin, query: [.firebaseVersion],
    "Firebase: the template in force, or one version, with its version and ETag.")
  package static let putFirebaseTemplate = Call<FirebaseTemplateBody, FirebaseTemplateBody>(
    "putFirebaseTemplate", .put, firebaseProject + "/remoteConfig", on: admin, needs: .publisher, changes: .firebaseTemplate,
    query: [.validateOnly, .validateOnlyInCamelCase], example: firebasePut,
    "Firebase: publishes a template; If-Match takes the ETag of the one in force, or *.")
  package static let firebaseNamespaceTemplate = Call<NoBody, FirebaseTemplateBody>(
    "firebaseNamespaceTemplate", .get, firebaseNamespace + "/remoteConfig", on: admin, query: [.firebaseVersion],
    example: CallExample(firebaseServer), "Firebase: the same by the name of its namespace, firebase or firebase-server.")
  package static let putFirebaseNamespaceTemplate = Call<FirebaseTemplateBody, FirebaseTemplateBody>(
    "putFirebaseNamespaceTemplate", .put, firebaseNamespace + "/remoteConfig", on: admin, needs: .publisher, changes: .firebaseTemplate,
    query: [.validateOnly, .validateOnlyInCamelCase],
    example: CallExample(firebaseServer, headers: ["If-Match": "*"], body: firebaseExample),
    "Firebase: publishes a template by the name of its namespace, firebase or firebase-server.")
  package static let rollbackFirebaseTemplate = Call<FirebaseRollbackRequest, FirebaseTemplateBody>(
    "rollbackFirebaseTemplate", .post, firebaseProject + "/remoteConfig:rollback", on: admin, needs: .publisher,
    changes: .firebaseTemplate, query: [.rollbackVersion], example: CallExample(body: ["versionNumber": "1"]),
    "Firebase: makes an older version current again, as a new version. The body or the query names it.")
  package static let firebaseVersions = Call<NoBody, FirebaseBody>(
    "firebaseVersions", .get, firebaseProject + "/remoteConfig:listVersions", on: admin,
    query: [.pageSize, .pageToken, .endVersion, .startTime, .endTime], "Firebase: the versions, the newest first, in pages.")
  package static let firebaseDefaults = Call<NoBody, FirebaseDefaultsFile>(
    "firebaseDefaults", .get, firebaseProject + "/remoteConfig:downloadDefaults", on: admin, query: [.defaultsFormat],
    "Firebase: the template's default values by key, as a file for an app's bundle.")

  package static let firebaseFetch = Call<FirebaseFetchRequest, FirebaseBody>(
    "firebaseFetch", .post, firebaseNamespace + ":fetch", on: both,
    example: CallExample(body: ["app_instance_id": "p1", "language_code": "es", "app_id": "1:1:ios:1"]),
    "Firebase: the values from the template and from overrides for a client, as texts; app_instance_id is the player.")
  package static let firebaseServerTemplate = Call<NoBody, FirebaseTemplateBody>(
    "firebaseServerTemplate", .get, firebaseNamespace + "/serverRemoteConfig", on: both, example: CallExample(firebaseServer),
    "Firebase: the template for servers, with the game's overrides on top.")
  package static let firebaseInvalidations = Call<FirebaseInvalidationsRequest, FirebaseBody>(
    "firebaseInvalidations", .post, firebaseNamespace + ":streamFetchInvalidations", on: both,
    example: CallExample(body: ["appInstanceId": "p1", "lastKnownVersionNumber": "1"]),
    "Firebase: notifies when to fetch again, by the number of the newest version; it ends after five minutes.")
}

extension QueryParameter {
  package static let firebaseVersion = Self("versionNumber", .integer(1...Int64.max), "A version other than the one in force.")
  package static let rollbackVersion = Self("versionNumber", .integer(1...Int64.max), "The version, if the body does not name it.")
  package static let validateOnly = Self("validate_only", .flag, "true to check everything and change nothing.")
  package static let validateOnlyInCamelCase = Self("validateOnly", .flag, "The same as validate_only.")
  package static let pageSize = Self("pageSize", .integer(1...Int64.max, usual: 10), "The maximum number of versions, up to 300.")
  package static let pageToken = Self("pageToken", .integer(1...Int64.max), "The nextPageToken of the previous page.")
  package static let endVersion = Self("endVersionNumber", .integer(1...Int64.max), "The newest version to list.")
  package static let startTime = Self("startTime", "Only versions since this instant.")
  package static let endTime = Self("endTime", "Only versions before this instant.")
  package static let defaultsFormat = Self("format", .word(["JSON", "PLIST", "XML"]), "The format of the file; default JSON.")
}
