import { hash, randomBytes } from 'node:crypto'

/** The prefix of a kubeconfig's token; authentication chooses the table by it. */
export const kubeconfigTokenPrefix = 'bey_kube'

/**
 * A new opaque token: `<prefix>_` and 256 random bits as base64url. The prefix (`bey_session`, `bey_kube`) lets
 * people and secret scanners recognize a token.
 */
export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** What is stored instead of a token: its SHA-256, 32 bytes. Enough, for tokens are random, not chosen. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
