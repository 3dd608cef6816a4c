import { expect, test } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import type { LastKnown } from './kind-cache.ts'
import { NotListed, startKindCache } from './kind-cache.ts'
import type { RowEntry } from './row-entry.ts'
import { rowEntry } from './row-entry.ts'
import type { WatchView } from './shared-watch.ts'

const silence = { since: new Date(0), reason: '127.0.0.1 refused the connection' }
const lastKnown: LastKnown = { entries: [], columns: [], asOf: new Date(60_000) }

/** The cache of a kind of a cluster that does not answer. */
function silentCache(readLastKnown: () => Promise<LastKnown | undefined>) {
  let lose = () => undefined as void
  const cache = startKindCache<RowEntry>(
    { path: '/api/v1/services', entry: rowEntry },
    {
      watch: {
        join(view: WatchView<never>) {
          lose = () => view.onLost(silence.reason, { isGone: false, isRefused: false, isMissing: false })
          return { kick: () => undefined, stop: () => undefined }
        },
      },
      liveness: { silence: () => silence, lastAnswerAt: () => undefined, generation: () => 0 },
      clock: realClock,
      onChange: () => undefined,
      onLost: () => undefined,
      lastKnown: readLastKnown,
    },
  )
  return { cache, lose: () => lose() }
}

test('rows of before that could not be looked up are looked up again for whoever asks next', async () => {
  let looks = 0
  const { cache, lose } = silentCache(async () => {
    looks += 1
    if (looks === 1) throw new Error('no connection of the database is free')
    return lastKnown
  })
  lose()
  await expect(cache.ready()).rejects.toThrow(NotListed)
  await cache.ready()
  expect([looks, cache.isLive(), cache.asOf()]).toEqual([2, false, lastKnown.asOf])
})

test('where no rows were kept nobody looks twice', async () => {
  let looks = 0
  const { cache, lose } = silentCache(async () => {
    looks += 1
    return undefined
  })
  lose()
  await expect(cache.ready()).rejects.toThrow(NotListed)
  await expect(cache.ready()).rejects.toThrow('refused the connection')
  expect(looks).toBe(1)
})
