/** What makes times and comparisons of a kind missing (see Field.missingFor): all of them are computed from these. */
export function missingTimes(kind: 'Run' | 'Setup' | 'Cleanup') {
  const noun = `${kind.toLowerCase()} time`;
  return {
    reported: `no ${noun} is reported`,
    planned: `no ${noun} is planned`,
    /** Of which there is no percentage. */
    plannedAsZero: `the planned ${noun} is 0`,
  } as const;
}
