import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'

import { ConfigError } from '../errors.ts'

/** A root key that only a key service opens, with the fingerprint of the key inside. It is no secret. */
export type WrappedKey = { fingerprint: string; ciphertext: string }

export const wrappedFileName = 'secret.key.wrapped'

/** One word, `<fingerprint>.<ciphertext>`, for a setting or a file; undefined where it is something else. */
export function parseWrappedKey(text: string): WrappedKey | undefined {
  const found = /^([0-9a-f]{16})\.([\x21-\x7e]{1,8192})$/.exec(text.trim())
  return found === null ? undefined : { fingerprint: found[1] ?? '', ciphertext: found[2] ?? '' }
}

export function formatWrappedKey({ fingerprint, ciphertext }: WrappedKey): string {
  return `${fingerprint}.${ciphertext}`
}

/** Undefined where there is no such file. Throws ConfigError for one that cannot be read, or is none. */
export async function readWrappedFile(file: string): Promise<WrappedKey | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(
      `The wrapped root key ${file} cannot be read (${error.code}). Mend its permissions.`,
      { cause: error },
    )
  })
  if (text === undefined) return undefined
  const wrapped = parseWrappedKey(text)
  if (wrapped !== undefined) return wrapped
  throw new ConfigError(`The wrapped root key ${file} is damaged. Restore it from where you keep it.`)
}

/**
 * Writes the file whole or not at all, for its owner alone. Where `mayReplace` is false, answers false for a file that is there
 * already and leaves it.
 */
export async function writeWrappedFile(
  file: string,
  wrapped: WrappedKey,
  mayReplace: boolean,
): Promise<boolean> {
  return writeKeyText(file, formatWrappedKey(wrapped), mayReplace)
}

/** See `writeWrappedFile`. */
export async function writeKeyText(file: string, text: string, mayReplace: boolean): Promise<boolean> {
  const partial = `${file}.${randomBytes(4).toString('hex')}`
  try {
    await writeFile(partial, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true })
    // Unlike rename, link does not replace: of two first starts one makes the key, the other reads it.
    await (mayReplace ? rename(partial, file) : link(partial, file))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(partial, { force: true })
  }
}
