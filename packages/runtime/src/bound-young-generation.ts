import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const CHECK_INTERVAL_MS = 500;

/**
 * Lets the space in which V8 makes new objects grow to `bytes` and not further: by itself it takes 33 MB and does not give
 * them back. For an app that is started as it is, where `--max-semi-space-size` would need another command line; V8
 * heeds that flag at its start only, but how fast the space grows at any time.
 */
export function boundYoungGeneration(bytes: number): void {
  const timer = setInterval(() => {
    const size =
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
    if (size < bytes) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(timer);
  }, CHECK_INTERVAL_MS);
  timer.unref();
}
