/** What was there instead, as describeProblems ends each problem: a quoted text, perhaps cut, or plain words. */
const GOT = / \(got (?:"(?:[^"\\]|\\.)*(?:"|…)|[^"()]*)\)/g;

/** The reason without the values that differ from event to event: events of one rule have the same. */
export function ruleOf(reason: string): string {
  return reason.replace(GOT, '');
}
