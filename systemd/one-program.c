// The main function of the one file that is installed under three names: the name by which it is started decides which program it is.
#include <string.h>

int gameconfd_main(int, char **);
int gameconfctl_main(int, char **);
int gameconf_fetch_main(int, char **);

int main(int argc, char **argv) {
  const char *path = argc > 0 ? argv[0] : "";
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  if (strcmp(name, "gameconfctl") == 0) return gameconfctl_main(argc, argv);
  if (strcmp(name, "gameconf-fetch") == 0) return gameconf_fetch_main(argc, argv);
  return gameconfd_main(argc, argv);
}
