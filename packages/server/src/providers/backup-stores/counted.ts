/** The bytes of a source as they pass, counted. */
export function counted(source: AsyncIterable<Uint8Array>) {
  let sizeBytes = 0
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      sizeBytes += chunk.length
      yield chunk
    }
  }
  return { bytes: pass(), sizeBytes: () => sizeBytes }
}
