/** The units in which pages show the time of an operation. Sums of many operations are always in hours. */
export const timeUnits = ['h', 'min', 'h:mm'] as const;
export type TimeUnit = (typeof timeUnits)[number];
