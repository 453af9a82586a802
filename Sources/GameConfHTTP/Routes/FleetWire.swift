// The hosts that share the database, in the form of the status answer.

internal import GameConfAPI
import GameConfStorage

extension StoreFleet {
  var wire: StatusFleet {
    var fleet = StatusFleet(
      database: database, schema: schema,
      hosts: hosts.map { host in
        StatusHost(name: host.name, seenAt: host.seenAt, version: host.release, aheadMilliseconds: host.aheadMilliseconds)
      })
    (fleet.role, fleet.server, fleet.durability) = (role, server, durability)
    (fleet.standbys, fleet.lagMilliseconds, fleet.lookMilliseconds) = (standbysCount, lagMilliseconds, lookMilliseconds)
    (fleet.announcedAt, fleet.connections, fleet.aheadMilliseconds) = (announcedAt, Int64(connectionsCount), aheadMilliseconds)
    return fleet
  }

  /// The warnings for an operator, such as a host whose clock differs.
  var warnings: [String] {
    var warnings: [String] = []
    for host in hosts where abs(host.aheadMilliseconds) > Self.aheadMillisecondsMax {
      let way = host.aheadMilliseconds > 0 ? "ahead of" : "behind"
      warnings.append(
        "the clock of \(host.name) is \(abs(host.aheadMilliseconds)) ms \(way) the database's, which the fleet uses; correct it")
    }
    if ["off", "local", "remote_write"].contains(durability) {
      warnings.append(
        "the database's synchronous_commit is \(durability): acknowledged changes may be lost; set it to on for the role or the database")
    }
    return warnings
  }
}
