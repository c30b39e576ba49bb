/** What a guardian tells the process that started it. */
export type GuardianNews =
  /** The server is being started, and whoever wants a lease can ask for it. */
  | { readonly kind: 'announced' }
  /** Another guardian has this home; ask that one. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'failed'; readonly message: string };

export function isGuardianNews(value: unknown): value is GuardianNews {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  if (value.kind === 'failed') return 'message' in value && typeof value.message === 'string';
  return value.kind === 'announced' || value.kind === 'foreign';
}
