/** Bounds of a login by code. */
export const deviceLoginBounds = {
  /** A code ends after so many minutes. */
  lifetimeMinutes: 10,
  /** A request that is older counts as suspicious: whoever runs `bey login` confirms at once. */
  oldAfterMinutes: 5,
  /** A program polls no more often than this, in seconds. */
  intervalSeconds: 2,
  /** Added to the interval of a program that polls too soon, in seconds (RFC 8628 section 3.5). */
  slowDownSeconds: 5,
  minReasonLength: 5,
  maxReasonLength: 300,
}

/** Letters of a user code: no vowels, so that no word appears, and none that is mistaken for another (RFC 8628 section 6.1). */
export const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ'

/** A user code as it is shown, `WDJB-MJHT`, from what a person types. Empty if it cannot be one. */
export function normalizeUserCode(text: string): string {
  const letters = text.toUpperCase().replace(/[\s\-–_.]/g, '')
  const isCode =
    letters.length === 8 && letters.split('').every((letter) => userCodeAlphabet.includes(letter))
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : ''
}
