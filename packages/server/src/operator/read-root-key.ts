import { readFile } from 'node:fs/promises'

import { fingerprintOf, type RootKey } from '../platform/crypto/root-key.ts'
import { ConfigError } from '../platform/errors.ts'

/** The root key of BEY_SECRET_KEY, or of a file. Makes none, unlike the start of a server. Throws ConfigError. */
export async function readRootKey(secretKey: Buffer | undefined, file: string): Promise<RootKey> {
  const key = secretKey ?? (await readFileKey(file))
  return { key, fingerprint: fingerprintOf(key) }
}

async function readFileKey(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigError(`There is no root key in ${file}. Set BEY_SECRET_KEY, or put its file there.`, {
      cause,
    })
  })
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === 32) return key
  throw new ConfigError(`The key file ${file} is damaged. Restore it from where you keep it.`)
}
