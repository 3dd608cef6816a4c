import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

const chunkBytes = 256 * 1024
const mostBytesPerCharacter = 3

/** Waits until everything written has left the process, or the client has. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return
  const gone = new AbortController()
  const leave = () => gone.abort()
  response.once('close', leave)
  try {
    await once(response, 'drain', { signal: gone.signal })
  } catch (error) {
    if (!gone.signal.aborted) throw error
  } finally {
    response.off('close', leave)
  }
}

/**
 * Sends `head`, the texts with commas between them and `tail` in large pieces through one buffer, each when the one
 * before has left: a long list costs no copy of itself, and a client that does not read costs nothing further.
 */
export async function sendList(
  response: ServerResponse,
  head: string,
  texts: Iterable<string>,
  tail: string,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })
  const buffer = Buffer.allocUnsafeSlow(chunkBytes)
  let used = buffer.write(head)
  const flush = async () => {
    if (!response.write(buffer.subarray(0, used))) await drained(response)
    used = 0
  }
  let isFirst = true
  for (const text of texts) {
    const most = text.length * mostBytesPerCharacter + 1
    if (used + most > chunkBytes) await flush()
    if (response.destroyed) return
    if (!isFirst) used += buffer.write(',', used, 'latin1')
    isFirst = false
    if (most <= chunkBytes) used += buffer.write(text, used)
    else {
      await flush()
      if (!response.write(text)) await drained(response)
    }
  }
  if (used > 0) await flush()
  response.end(tail)
}
