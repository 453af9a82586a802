@main
struct GameConfCtl {
  static func main() {}
}
