/** A token as this service makes them. */
const OWN_TOKEN = /takt_[\w-]*/gi;
/** The name of a secret, however it is mistyped, with something after it. What may be another word needs a sign for it. */
const NAME =
  /(?:acc?ess?_?tok|token|bearer|authori[sz]ation(?!-server)|secret|pass?w|pwd)\w{0,12}\W|(?:code|verifier|state|assertion)\w{0,12}[=:]|basic[ +]/i;
const LONG_WORD = /[\w-]{40,}/g;

const SHOWN = '[redacted]';

/** A text of a client that may be shown: a token that it holds is left out. */
export function withoutTokens(text: string): string {
  return changeDecoded(text, (decoded) => decoded.replace(OWN_TOKEN, SHOWN));
}

/**
 * A path that may be shown and logged. A client that forgets the `?`, or mistypes a name, puts its token into the path:
 * what follows such a name is left out, and any word that only chance makes so long.
 */
export function pathWithoutTokens(path: string): string {
  return changeDecoded(path, (decoded) => {
    const nameAt = decoded.search(NAME);
    const shown = nameAt < 0 ? decoded : `${decoded.slice(0, nameAt)}${SHOWN}`;
    return shown.replace(OWN_TOKEN, SHOWN).replace(LONG_WORD, (word) => (isRandom(word) ? SHOWN : word));
  });
}

function isRandom(word: string): boolean {
  return /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
}

/** Where nothing is changed, the text stays as it was encoded. */
function changeDecoded(text: string, change: (decoded: string) => string): string {
  const decoded = decode(text);
  const changed = change(decoded);
  return changed === decoded ? text : changed;
}

/** ASCII characters decoded, as often as they were encoded up to three times; what cannot be decoded stays. */
function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && decoded.includes('%'); round += 1) {
    decoded = decoded.replace(/%[0-7][0-9a-f]/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
  }
  return decoded;
}
