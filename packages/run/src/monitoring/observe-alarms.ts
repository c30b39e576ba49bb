import { Gauge, type Registry } from 'prom-client';

export function observeAlarms(
  registry: Registry,
  found: () => readonly { readonly name: string; readonly subject: string }[],
): void {
  new Gauge({
    name: 'takt_alarm',
    help: '1 while there is an alarm, explained in the guide under its name; the same in every process that reports it',
    labelNames: ['alarm', 'subject'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name: alarm, subject } of found()) this.set({ alarm, subject }, 1);
    },
  });
}
