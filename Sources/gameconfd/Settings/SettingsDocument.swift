// Parses the daemon's configuration file strictly: every fault is reported with its position.

import GameConfCore
import GameConfFormats
import GameConfStorage
import GameConfSystemd

/// The contents of the configuration file.
struct SettingsDocument {
  /// The default path; a file there is optional.
  static let standardPath = "/etc/gameconfd/gameconfd.yaml"

  /// The path of the file that was read; nil if there is no file.
  private(set) var path: String?
  /// The settings with a single value, as text.
  private(set) var scalars: [DaemonSetting: String] = [:]
  /// The entries of `clients: [{uid | group, games: […]}]`; nil if the file does not have that setting.
  private(set) var clients: [ClientRule]?
  /// `per_user: {NAME: n}`: the maximum number of connections by user name.
  private(set) var perUser: [String: Int] = [:]
  /// The users who may read secret parameters, by game: `secret_readers: {game: [uid, …]}`.
  private(set) var secretReaders: [String: [UInt32]] = [:]

  /// The database of `store: {postgres: CONNECTION, schema: NAME}`; nil if the file does not have that setting.
  private(set) var postgres: PostgresSettings?

  /// Reads a configuration file.
  /// - Parameter path: The path; nil for the default path, where the file may be missing.
  init(path named: String?) throws(Faults) {
    let path = named ?? Self.standardPath
    let bytes: [UInt8]
    do throws(FileFault) { bytes = try FolderFiles.read(path, bytesMax: 1 << 20) } catch {
      if named == nil, error.isAbsence { return }
      throw Faults(messages: ["\(path): \(error.message)"])
    }
    self.path = path
    if let complaint = FileAccess.complaint(about: path, as: .settings) { throw Faults(messages: ["\(path): \(complaint)"]) }
    let reading = SettingsReader.read(
      NamedFile(name: path, bytes: bytes), scalars: Set(DaemonSetting.allCases.filter(\.isAllowedInFile).map(\.rawValue)),
      structures: ["clients", "per_user", "secret_readers", "store"])
    var faults = reading.faults.map(\.description)
    func place(_ name: String) -> String { "\(path):\(reading.places[name] ?? "1:1")" }
    if let value = reading.structures["clients"] {
      clients = Self.clients(value)
      if clients == nil { faults.append("\(place("clients")): clients is a list of {uid: N, games: […]} or {group: NAME, games: […]}") }
    }
    if let value = reading.structures["per_user"] {
      if let users = Self.users(value) {
        perUser = users
      } else {
        faults.append("\(place("per_user")): per_user is a mapping of a user's name to a number of connections from 1 to 1000000")
      }
    }
    if let value = reading.structures["secret_readers"] {
      if let readers = Self.readers(value) {
        secretReaders = readers
      } else {
        faults.append("\(place("secret_readers")): secret_readers is a mapping of a game to a list of uids")
      }
    }
    if let value = reading.structures["store"] {
      postgres = Self.postgres(value)
      if postgres == nil {
        faults.append(
          "\(place("store")): store is {postgres: CONNECTION} or {postgres: CONNECTION, schema: NAME}: a connection for libpq, such as \"host=/run/postgresql dbname=gameconf\", and a name of 1 to \(PostgresSettings.schemaBytesMax) bytes; behind a transaction pooler add prepared: false and listen: false"
        )
      } else if let words = postgres?.connectionFault {
        faults.append("\(place("store")): postgres is not a connection for libpq: \(words)")
      }
    }
    if !faults.isEmpty { throw Faults(messages: faults) }
    for setting in DaemonSetting.allCases { scalars[setting] = reading.scalars[setting.rawValue] }
  }

  private static func clients(_ value: Value) -> [ClientRule]? {
    guard let rows = value.listValue else { return nil }
    var rules: [ClientRule] = []
    for row in rows {
      guard let members = row.objectValue, Set(members.names).isSubset(of: ["uid", "group", "games"]), members.count == 2,
        let games = members["games"]?.listValue?.compactMap(\.stringValue), games.count == members["games"]?.listValue?.count
      else { return nil }
      if let uid = members["uid"]?.integerValue.flatMap(UInt32.init(exactly:)) {
        rules.append(ClientRule(who: .uid(uid), games: Set(games)))
      } else if let group = members["group"]?.stringValue {
        rules.append(ClientRule(who: .group(group), games: Set(games)))
      } else {
        return nil
      }
    }
    return rules
  }

  private static func postgres(_ value: Value) -> PostgresSettings? {
    guard let members = value.objectValue, Set(members.names).isSubset(of: ["postgres", "schema", "prepared", "listen"]),
      let connection = members["postgres"]?.stringValue
    else { return nil }
    var settings = PostgresSettings(connection: connection)
    if let given = members["schema"] { settings = given.stringValue.flatMap { PostgresSettings(connection: connection, schema: $0) } }
    if let given = members["prepared"] {
      guard let prepares = given.boolValue else { return nil }
      settings?.prepares = prepares
    }
    if let given = members["listen"] {
      guard let listens = given.boolValue else { return nil }
      settings?.listens = listens
    }
    return settings
  }

  private static func users(_ value: Value) -> [String: Int]? {
    guard let members = value.objectValue?.members else { return nil }
    var users: [String: Int] = [:]
    for member in members {
      guard let number = member.value.integerValue.flatMap(Int.init(exactly:)), (1...1_000_000).contains(number) else { return nil }
      users[member.name] = number
    }
    return users
  }

  private static func readers(_ value: Value) -> [String: [UInt32]]? {
    guard let games = value.objectValue else { return nil }
    var readers: [String: [UInt32]] = [:]
    for member in games.members {
      guard let list = member.value.listValue else { return nil }
      let uids = list.compactMap { $0.integerValue.flatMap(UInt32.init(exactly:)) }
      if uids.count != list.count { return nil }
      readers[member.name] = uids
    }
    return readers
  }
}
