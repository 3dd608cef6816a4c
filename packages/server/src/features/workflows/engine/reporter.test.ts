import { expect, test, vi } from 'vitest'

import { realClock } from '../../../platform/clock.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { reportStep } from './reporter.ts'
import { lockRunState } from '../runs/store.ts'

const database = await testDatabase()
const given = createGiven(database)

/** A reporter of a step under way; `withRun` may do something else than write. */
async function reporter(options: { fail?: (times: number) => void; isRepeated?: boolean } = {}) {
  const { id, organizationId } = await given.run({ status: 'running', executorId: 'me' })
  await given.step({ organizationId, runId: id, status: 'running', attempt: 1 })
  const state = await database.withTenant(organizationId, (db) => lockRunState(db, id))
  const [step] = state?.steps ?? []
  if (state === undefined || step === undefined) throw new Error('There is no step')
  let times = 0
  const report = reportStep({
    run: state.run,
    step,
    executorId: 'me',
    publish: async () => undefined,
    clock: realClock,
    async withRun(work) {
      options.fail?.((times += 1))
      const result = await database.withTenant(organizationId, (db) => work(db, false))
      // As when the confirmation of the commit was lost.
      return options.isRepeated === true
        ? database.withTenant(organizationId, (db) => work(db, true))
        : result
    },
    onProgress: async () => undefined,
    onFailure: () => undefined,
  })
  const messages = async () => {
    const { rows } = await database.ownerPool.query<{ seq: number; message: string }>(
      'select seq, message from step_logs where run_id = $1 order by seq',
      [id],
    )
    return rows.map(({ seq, message }) => `${seq} ${message}`)
  }
  const percent = async () => {
    const { rows } = await database.ownerPool.query<{ percent: number }>(
      'select progress_percent as percent from step_runs where id = $1',
      [step.id],
    )
    return rows[0]?.percent
  }
  return { report, messages, percent }
}

test('a write that failed is tried again, and what comes later is written as well', async () => {
  const { report, messages, percent } = await reporter({
    fail(times) {
      if (times === 1) throw new Error('Refused once')
    },
  })
  report.log('first', 'info')
  report.progress(20)
  await vi.waitFor(async () => expect(await messages()).toEqual(['1 first']), { timeout: 60_000 })
  report.log('second', 'info')
  report.progress(40)
  await vi.waitFor(
    async () => {
      expect(await messages()).toEqual(['1 first', '2 second'])
      expect(await percent()).toBe(40)
    },
    { timeout: 60_000 },
  )
})

test('lines whose commit succeeded without being confirmed are not written twice', async () => {
  const { report, messages } = await reporter({ isRepeated: true })
  report.log('first', 'info')
  await vi.waitFor(async () => expect(await messages()).toEqual(['1 first']), { timeout: 60_000 })
  report.log('second', 'info')
  await vi.waitFor(async () => expect(await messages()).toEqual(['1 first', '2 second']), { timeout: 60_000 })
  await report.stop()
  expect(report.pending()).toEqual([])
})

test('lines that come faster than they are written are all kept, in their order', async () => {
  const { report, messages } = await reporter()
  const count = 12_345
  for (let line = 1; line <= count; line += 1) report.log('line', 'info')
  await report.stop()
  const written = (await messages()).length
  expect(written + report.pending().length).toBe(count)
  expect(report.pending().length).toBeLessThanOrEqual(100)
  expect(await messages()).toEqual(Array.from({ length: written }, (_, index) => `${index + 1} line`))
}, 120_000)

test('beyond 100,000 waiting lines the rest is left out, which is said once', async () => {
  const { report } = await reporter({
    fail() {
      throw new Error('Never written')
    },
  })
  for (let line = 0; line < 100_010; line += 1) report.log('line', 'info')
  await report.stop()
  expect(report.pending().length).toBe(100_001)
  expect(report.pending().at(-1)?.message).toBe('Too many lines at once: some are left out.')
}, 120_000)
