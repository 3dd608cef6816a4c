import { expect, test } from 'vitest'
import { AppError } from '../../../platform/errors.ts'
import { createLog } from '../../../platform/log.ts'
import { fakeClock } from '../../../testing/clock.ts'
import { startRecheck } from './access-recheck.ts'
import type { ProxyCaller } from './caller.ts'
import { createOpenStreams } from './open-streams.ts'
import { proxyCaller } from '../testing/proxy-server.ts'

const clusterOf = (id: number) => {
  return {
    id,
    organizationId: 1,
    title: 'prod',
    status: 'RUNNING' as const,
    pendingOperations: 0,
    version: '',
  }
}

type Outcome = ProxyCaller | 'outsider' | undefined

async function ended(answer: () => Promise<Outcome>, hasCluster = true): Promise<boolean> {
  const clock = fakeClock()
  const streams = createOpenStreams()
  let isEnded = false
  const stream = {
    caller: proxyCaller('MEMBER'),
    clusterId: 7,
    token: 'token',
    isEndless: true,
    openedAtMs: clock.monotonicMs(),
    end: () => void (isEnded = true),
  }
  streams.add(stream, streams.mark())
  const { recheck, stop } = startRecheck({
    streams,
    identify: answer,
    findCluster: async (_organizationId, id) => (hasCluster ? clusterOf(id) : undefined),
    clock,
    log: createLog({ level: 'silent' }),
  })
  await recheck(false)
  expect(isEnded).toBe(false)
  await recheck(true)
  stop()
  return isEnded
}

test('what is open is asked again by what right, should its end not have been heard', async () => {
  expect(await ended(async () => proxyCaller('MEMBER'))).toBe(false)
  expect(await ended(async () => undefined)).toBe(true)
  expect(await ended(async () => 'outsider')).toBe(true)
  expect(await ended(async () => proxyCaller('VIEWER'))).toBe(true)
  expect(await ended(async () => proxyCaller('MEMBER', { organizationId: 2 }))).toBe(true)
  expect(await ended(async () => proxyCaller('MEMBER'), false)).toBe(true)
})

test('a database that does not answer ends nothing', async () => {
  expect(await ended(() => Promise.reject(new AppError('unavailable', 'The database is down.')))).toBe(false)
})
