// The commands' tests stand here.
