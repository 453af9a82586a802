// The source of a game's template, and the limits of its settings.

/// The place from which one game's template is fetched, with the settings of the fetch.
struct FetchSource: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A document at a URL, in any format of templates that the daemon reads.
    case web(WebAddress)
    /// A project of Firebase Remote Config.
    case firebase(FirebaseSource)
  }

  var game: String
  var kind: Kind
  var intervalMilliseconds = FetchLimits.intervalMilliseconds
  var timeoutMilliseconds = FetchLimits.timeoutMilliseconds
  var bytesMax = FetchLimits.bytesMax
  /// The file of certificate authorities that are trusted instead of the system's; nil to trust the system's.
  var authoritiesFile: String?
  /// The HTTP proxy of the settings; nil to use the one in the environment.
  var proxy: ProxyAddress?

  /// The source in words for logs and for the daemon's status, without secrets.
  var shown: String {
    switch kind {
    case .web(let address): address.shown
    case .firebase(let firebase): "Firebase project \(firebase.project) (\(firebase.template.rawValue))"
    }
  }
}

/// A template of a Firebase project, which is fetched by Google's REST API.
struct FirebaseSource: Hashable, Sendable {
  /// The two kinds of templates in a Firebase project: for clients and for servers.
  enum TemplateKind: String, CaseIterable, Sendable { case client, server }

  static let usualBase = "https://firebaseremoteconfig.googleapis.com"

  var template: TemplateKind
  var project: String
  /// The path of the service account's key file.
  var keyFile: String
  /// The base URL of Google's REST API, without a slash at its end.
  var base: WebAddress
  /// The URL of Google's token server; nil for the one in the key file.
  var tokenAddress: WebAddress?

  /// The URL from which the template for clients or for servers is fetched.
  var target: String {
    let path = template == .client ? "remoteConfig" : "namespaces/firebase-server/remoteConfig"
    return "\(base.text)/v1/projects/\(project)/\(path)"
  }
}

/// The limits and defaults of a source's settings.
enum FetchLimits {
  static let intervalMilliseconds: Int64 = 900_000
  /// The least interval between fetches from the loopback interface, in milliseconds.
  static let loopbackIntervalMillisecondsMin: Int64 = 100
  static let intervalMillisecondsMin: Int64 = 10_000
  static let intervalMillisecondsMax: Int64 = 604_800_000
  static let timeoutMilliseconds: Int64 = 30_000
  static let timeoutMillisecondsMin: Int64 = 100
  static let timeoutMillisecondsMax: Int64 = 300_000
  /// The largest template that the daemon accepts, in bytes.
  static let bytesMax = 1 << 20
  static let bytesMin = 1 << 10
  static let sourcesMax = 100
  static let redirectsMax = 5
  /// The longest `Retry-After` that is respected: six hours.
  static let retryAfterMillisecondsMax: Int64 = 21_600_000
  /// The maximum size in bytes of key files and of responses from token servers.
  static let keyBytesMax = 64 << 10
}
