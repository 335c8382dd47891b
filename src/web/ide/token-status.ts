/** What is known of the API token, from the gateway's latest answer to it. */
export type TokenStatus =
  | { readonly kind: 'missing' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'accepted' }
  /** `reason` is a sentence for people. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly reason: string };

/** The status in words. */
export function describeTokenStatus(status: TokenStatus): string {
  switch (status.kind) {
    case 'missing':
      return 'No token yet';
    case 'checking':
      return 'Checking the token…';
    case 'accepted':
      return 'Token accepted';
    case 'refused':
      return `Token refused: ${status.reason}`;
    case 'unanswered':
      return `No answer: ${status.reason}`;
  }
}
