// The route that Prometheus scrapes.

internal import GameConfAPI
internal import GameConfEngine

struct MetricsRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.metrics) { call in
        let world = call.request.served.world
        return .task { .written(Array(await text(of: world).utf8), contentType: PrometheusText.contentType) }
      }
    ]
  }

  private func text(of world: World) async -> String {
    var text = PrometheusText()
    text.single("gameconf_build_info", .gauge, "The version of gameconfd.", by: [("version", services.health.version)], 1)
    text.single(
      "gameconf_start_time_seconds", .gauge, "Time at which the process began to serve, in seconds since 1970.",
      Double(services.facts.startedAt.milliseconds) / 1_000)
    let process = ProcessFigures()
    if let bytes = process.residentBytes {
      text.single("process_resident_memory_bytes", .gauge, "Resident memory in bytes.", Double(bytes))
    }
    if let count = process.openDescriptors { text.single("process_open_fds", .gauge, "Open file descriptors.", Double(count)) }
    if let count = process.descriptorsMax { text.single("process_max_fds", .gauge, "The limit of open file descriptors.", Double(count)) }
    if let server = services.running.server { text.append(await server.counters(), services.tallies) }
    text.append(world, services.health.list.present(in: world))
    text.append(services.store.health, now: services.clock.now)
    services.metrics.write(to: &text)
    return text.text
  }
}
