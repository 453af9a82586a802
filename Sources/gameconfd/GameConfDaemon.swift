@main
struct GameConfDaemon {
  static func main() {}
}
