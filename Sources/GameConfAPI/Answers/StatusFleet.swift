// The status of a database that several hosts share.

package import GameConfCore

/// The PostgreSQL database that several hosts share, and the state of these hosts.
public struct StatusFleet: WireObject {
  package var database = ""
  package var schema = ""
  package var role = ""
  package var server = ""
  package var durability = ""
  package var standbys: Int64?
  package var lagMilliseconds: Int64?
  package var lookMilliseconds: Int64 = 0
  package var announcedAt: Instant?
  package var connections: Int64 = 0
  package var aheadMilliseconds: Int64?
  package var hosts: [StatusHost] = []

  package init() {}

  package init(database: String, schema: String, hosts: [StatusHost] = []) {
    self.database = database
    self.schema = schema
    self.hosts = hosts
  }

  package static var about: String { "A PostgreSQL database and the hosts that share it." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("database", &database, "The database's name; empty until the server has answered.")
    fields.required("schema", &schema, "The schema.")
    fields.required("role", &role, "The daemon's role on the server.")
    fields.required("server", &server, "The server's version.")
    fields.required(
      "synchronous_commit", &durability, "The server's synchronous_commit; below “on”, acknowledged changes may be lost.")
    fields.optional("standbys", &standbys, "The number of standbys; absent if the server does not report it.")
    fields.optional(
      "lag_milliseconds", &lagMilliseconds, "The lag of the last standby in milliseconds; absent if the server does not report it.")
    fields.required("look_milliseconds", &lookMilliseconds, "The duration of the newest look at the database in milliseconds.")
    fields.optional("announced_at", &announcedAt, "The time of the last announced change, by this host or another.")
    fields.required("connections", &connections, "The number of this daemon's connections.")
    fields.optional(
      "ahead_milliseconds", &aheadMilliseconds, "Milliseconds by which this host's clock is ahead of the database's; negative if behind.")
    fields.required("hosts", &hosts, "The hosts seen within a day, by name.")
  }
}

/// A host that shares the database, with the version of its daemon and the deviation of its clock.
public struct StatusHost: WireObject {
  package var name = ""
  package var seenAt = Instant.unread
  package var version = ""
  package var aheadMilliseconds: Int64 = 0

  package init() {}

  package init(name: String, seenAt: Instant, version: String, aheadMilliseconds: Int64) {
    self.name = name
    self.seenAt = seenAt
    self.version = version
    self.aheadMilliseconds = aheadMilliseconds
  }

  package static var about: String { "A host of a fleet." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("name", &name, "The name: its host name, and a part of a digest of its machine and state directory.")
    fields.required("seen_at", &seenAt, "The time at which it was last seen, by the database's clock.")
    fields.required("version", &version, "The version of its daemon.")
    fields.required(
      "ahead_milliseconds", &aheadMilliseconds, "Milliseconds by which its clock is ahead of the database's; negative if behind.")
  }
}
