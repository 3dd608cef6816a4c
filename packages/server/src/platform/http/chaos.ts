import type { FastifyInstance } from 'fastify'
import type { ErrorCode } from '@bey/contract/base/errors'
import { AppError } from '../errors.ts'

export type Chaos = {
  /** How many of 100 requests fail, and how many of 100 wait. */
  percent: number
  /** The same seed and requests meet the same fate. */
  seed: number
}

const longestDelayMs = 1500

// Neither 401 nor 404: the console would end the session, or show that the object is gone.
const readFailures: readonly ErrorCode[] = ['internal', 'unavailable', 'rate_limited']
const writeFailures: readonly ErrorCode[] = [...readFailures, 'conflict']

/**
 * Lets API requests fail and wait at random, so that a developer sees what a screen makes of it. They fail before
 * anything is done. `/health`, the console's own files, the socket and the clusters' proxy are spared.
 */
export function causeChaos(app: FastifyInstance, { percent, seed }: Chaos): void {
  const random = randomFrom(seed)
  const isHit = () => random() * 100 < percent
  app.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    if (!path.startsWith('/api/') || /^\/api\/(docs|openapi\.json)|\/proxy\//.test(path)) return
    if (isHit()) await new Promise((done) => setTimeout(done, random() * longestDelayMs))
    if (!isHit()) return
    const failures = request.method === 'GET' || request.method === 'HEAD' ? readFailures : writeFailures
    const code = failures[Math.floor(random() * failures.length)] ?? 'internal'
    if (code === 'rate_limited') reply.header('retry-after', '1')
    throw new AppError(code, `CHAOS=${percent} let this request fail. Try again.`)
  })
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
