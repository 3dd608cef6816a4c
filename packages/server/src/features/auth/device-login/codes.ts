import { randomInt } from 'node:crypto'
import { normalizeUserCode, userCodeAlphabet } from '@bey/contract/auth/device-login-rules'

/** A random user code, such as `WDJB-MJHT`: 20^8 possibilities, guessed at a few a minute within its 10 minutes. */
export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => userCodeAlphabet[randomInt(userCodeAlphabet.length)])
  return normalizeUserCode(letters.join(''))
}
