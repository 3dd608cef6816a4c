import { createHash } from 'node:crypto'

/** The bytes of a source as they pass, counted and hashed. `result` is of what has passed so far. */
export function measured(source: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hash.update(chunk)
      sizeBytes += chunk.length
      yield chunk
    }
  }
  return { bytes: pass(), result: () => ({ sizeBytes, sha256: hash.copy().digest('hex') }) }
}
