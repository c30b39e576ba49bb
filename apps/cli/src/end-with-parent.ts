// Loaded into every app that `takt start` runs, before the app itself: when the parent is gone, even by kill -9,
// its end of this channel closes and the app ends as on SIGTERM. Otherwise it would go on without its database.
if (process.channel !== undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
