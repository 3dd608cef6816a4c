import { createHash } from 'node:crypto'

/** Passes bytes on; `sha256` (hex) and `sizeBytes` are known when they have been read to their end. */
export function digested(source: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  const state = { sizeBytes: 0, sha256: '' }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hash.update(chunk)
      state.sizeBytes += chunk.length
      yield chunk
    }
    state.sha256 = hash.digest('hex')
  }
  return { bytes: bytes(), state }
}

/** Passes bytes on and throws at their end what `problem` makes when they are not those of this SHA-256 (hex). */
export async function* verified(
  source: AsyncIterable<Uint8Array>,
  sha256: string,
  problem: () => Error,
): AsyncGenerator<Uint8Array> {
  const { bytes, state } = digested(source)
  yield* bytes
  if (state.sha256 !== sha256) throw problem()
}
