// `takt start` loads this file into each app, before the app itself. If the parent ends, even by kill -9, this channel
// closes and the app ends as it would by SIGTERM. Otherwise the app would continue without its database.
if (process.channel !== undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
