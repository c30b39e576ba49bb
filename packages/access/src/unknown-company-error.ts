/** A token was asked for a company that is not registered. */
export class UnknownCompanyError extends Error {
  override readonly name = 'UnknownCompanyError';
  readonly unknownCodes: readonly string[];
  /** Those that are registered, sorted. */
  readonly knownCodes: readonly string[];

  constructor(unknownCodes: readonly string[], knownCodes: readonly string[]) {
    const subject =
      unknownCodes.length === 1
        ? `company ${unknownCodes.join()} is`
        : `companies ${unknownCodes.join(', ')} are`;
    const registered = knownCodes.length === 0 ? 'none is' : `registered: ${knownCodes.join(', ')}`;
    super(`${subject} not registered (${registered})`);
    this.unknownCodes = unknownCodes;
    this.knownCodes = knownCodes;
  }
}
