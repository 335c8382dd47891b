import { describeViewer, type Viewer } from './viewer';

/** The status of the API token according to the latest response; `missing` without a token, `checking` before a response. */
export type TokenStatus =
  | { readonly kind: 'missing' }
  | { readonly kind: 'checking' }
  /** `viewer` is absent until the rights of the token are known. */
  | { readonly kind: 'accepted'; readonly viewer?: Viewer }
  /** `reason` is a sentence that users read. */
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export function describeTokenStatus(status: TokenStatus): string {
  switch (status.kind) {
    case 'missing':
      return 'No token yet';
    case 'checking':
      return 'Checking the token…';
    case 'accepted':
      return status.viewer ? `Token accepted: ${describeViewer(status.viewer)}` : 'Token accepted';
    case 'rejected':
      return `Token rejected: ${status.reason}`;
    case 'failed':
      return `Request failed: ${status.reason}`;
  }
}
