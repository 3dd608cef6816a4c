import { Secret, TOTP } from 'otpauth'
import type { TestApp } from './app.ts'

/** The code that an app shows `steps` periods of 30 s from now. */
export function codeOf(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Turns two-factor authentication on; the present code is used up by it. */
export async function enableTotp({ ask }: Pick<TestApp, 'ask'>, { token }: { token: string }) {
  const { body: begun } = await ask('POST', '/api/auth/totp', { token })
  const { secret } = begun as { secret: string; uri: string }
  const { body } = await ask('PUT', '/api/auth/totp', { token, body: { code: codeOf(secret) } })
  const { recoveryCodes } = body as { recoveryCodes: string[] }
  return { secret, recoveryCodes }
}
