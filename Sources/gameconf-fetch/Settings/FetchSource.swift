// The source of the template of one game, and the ways in which it may be read.

/// One game's source.
struct FetchSource: Hashable, Sendable {
  /// The kinds of source.
  enum Kind: Hashable, Sendable {
    /// A document in any form of templates.
    case web(WebAddress)
    /// A project of Firebase Remote Config.
    case firebase(FirebaseSource)
  }

  var game: String
  var kind: Kind
  var intervalMilliseconds = FetchLimits.intervalMilliseconds
  var timeoutMilliseconds = FetchLimits.timeoutMilliseconds
  var bytesMax = FetchLimits.bytesMax
  /// The only authorities that are trusted; nil for the system's.
  var authoritiesFile: String?
  /// Through which the web is reached; nil for what the environment says.
  var proxy: ProxyAddress?

  /// The source as people and the daemon see it; nothing secret is in it.
  var shown: String {
    switch kind {
    case .web(let address): address.shown
    case .firebase(let firebase): "Firebase project \(firebase.project) (\(firebase.template.rawValue))"
    }
  }
}

/// A template of a Firebase project.
struct FirebaseSource: Hashable, Sendable {
  /// The two templates of a project.
  enum Template: String, CaseIterable, Sendable { case client, server }

  static let usualBase = "https://firebaseremoteconfig.googleapis.com"

  var template: Template
  var project: String
  /// The file with the service account's key.
  var keyFile: String
  /// The address of the REST API, without a slash at its end.
  var base: WebAddress
  /// The address for tokens; nil for what the key says.
  var tokenAddress: WebAddress?

  /// The target of the request for the template.
  var target: String {
    let path = template == .client ? "remoteConfig" : "namespaces/firebase-server/remoteConfig"
    return "\(base.text)/v1/projects/\(project)/\(path)"
  }
}

/// The limits of a source's settings; each with both ends.
enum FetchLimits {
  static let intervalMilliseconds: Int64 = 900_000
  /// From this machine's loopback a source may be read this often.
  static let loopbackIntervalMillisecondsMin: Int64 = 100
  static let intervalMillisecondsMin: Int64 = 10_000
  static let intervalMillisecondsMax: Int64 = 604_800_000
  static let timeoutMilliseconds: Int64 = 30_000
  static let timeoutMillisecondsMin: Int64 = 100
  static let timeoutMillisecondsMax: Int64 = 300_000
  /// The longest template that the daemon takes.
  static let bytesMax = 1 << 20
  static let bytesMin = 1 << 10
  static let sourcesMax = 100
  static let redirectsMax = 5
  /// The longest that a server is obeyed that asks to be left alone: six hours.
  static let retryAfterMillisecondsMax: Int64 = 21_600_000
  /// A key or an answer of a token server is never longer.
  static let keyBytesMax = 64 << 10
}
