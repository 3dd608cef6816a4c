import { afterAll, afterEach, expect, test } from 'vitest'

import { ownWorkflow } from '../testing/own-workflows.ts'
import { toyEngine } from '../testing/toy-engine.ts'

const toy = await toyEngine()
const { ownActs, executed, startOwn, startAgain, reached, ended, engine, given, database } = toy
afterAll(() => engine.stop())

type Run = Awaited<ReturnType<typeof startOwn>>

/** Steps `hold` wait here until the test lets them go, by the id of their run. */
const held = new Map<string, () => void>()
ownActs.set('hold:hold', async ({ run, signal }) => {
  await new Promise<void>((resolve, reject) => {
    held.set(run.id, resolve)
    signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true })
  })
  return {}
})
const letGo = (runId: string) => held.get(runId)?.()
afterEach(() => {
  for (const release of held.values()) release()
  held.clear()
})

const holding = (onLimit: 'queue' | 'skip' | 'replace') => ({
  steps: [
    {
      key: 'hold',
      name: 'Hold',
      type: 'act',
      config: { act: 'hold' },
      concurrency: { key: 'place', max: 1, onLimit },
    },
  ],
})

const holds = (run: Run) => reached(run, () => held.has(run.runId))

async function two(onLimit: 'queue' | 'skip' | 'replace'): Promise<[Run, Run]> {
  const first = await startOwn(holding(onLimit))
  await holds(first)
  return [first, await startAgain(first.user, first.workflowId)]
}

test('a step whose place is taken waits for its turn', async () => {
  const [first, second] = await two('queue')
  const waiting = await reached(second, ({ steps }) => steps[0]?.status === 'ready')
  expect(waiting.steps[0]?.note).toBe('Waits for its turn with "place".')
  letGo(first.runId)
  expect((await ended(first)).run.status).toBe('completed')
  await holds(second)
  letGo(second.runId)
  expect((await ended(second)).run.status).toBe('completed')
})

test('a step whose place is taken is skipped where it says so', async () => {
  const [first, second] = await two('skip')
  const { run, steps } = await ended(second)
  expect([run.status, steps[0]?.status, steps[0]?.note]).toEqual([
    'completed',
    'skipped',
    'Skipped: "place" is taken by another run.',
  ])
  letGo(first.runId)
  expect((await ended(first)).run.status).toBe('completed')
})

test('a step takes the place of another run where it says so', async () => {
  const [first, second] = await two('replace')
  expect((await ended(first)).run.status).toBe('cancelled')
  await holds(second)
  letGo(second.runId)
  expect((await ended(second)).run.status).toBe('completed')
})

test('places are shared among organizations, then by priority, and who waits too long expires', async () => {
  const { maxConcurrentRuns } = engine.state()
  const hold = { steps: [{ key: 'hold', name: 'Hold', type: 'act', config: { act: 'hold' } }] }
  const busy = await given.user()
  const blocking = await ownWorkflow(database, busy, hold)
  const blockers = await Promise.all(
    Array.from({ length: maxConcurrentRuns }, () => startAgain(busy, blocking)),
  )
  await Promise.all(blockers.map(holds))
  const quick = { steps: [{ key: 'note', name: 'Note', type: 'act' }] }
  const queued = await ownWorkflow(database, busy, quick)
  const low = await startAgain(busy, queued, {}, -1)
  const middle = await startAgain(busy, queued)
  const high = await startAgain(busy, queued, {}, 5)
  const expiring = await startOwn({ ...quick, queueTimeoutMs: 1 }, {}, { user: busy })
  const other = await startOwn(quick)
  letGo(blockers[0]?.runId ?? '')
  const all = await Promise.all([low, middle, high, other].map(ended))
  expect(new Set(all.map(({ run }) => run.status))).toEqual(new Set(['completed']))
  const order = executed
    .map((entry) => entry.split(':')[0])
    .filter((id) => [low, middle, high, other].some(({ runId }) => runId === id))
  expect(order).toEqual([other.runId, high.runId, middle.runId, low.runId])
  const expired = await ended(expiring)
  expect([expired.run.status, expired.steps[0]?.status]).toEqual(['expired', 'cancelled'])
  expect(expired.run.error?.message).toMatch(/could not begin within the time/)
})
