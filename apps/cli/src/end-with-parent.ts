// Loaded into each app of `takt start` before the app: if the parent ends, even by kill -9, this channel closes and the
// app ends as by SIGTERM. Otherwise it would continue without its database.
if (process.channel !== undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
