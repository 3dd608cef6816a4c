import { expect, test } from 'vitest'

import { monthOf } from '../../../platform/usage/months.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { recordUsage, type UsageEvent } from '../../../platform/usage/record.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { decimalOf, decimalText, sumOf } from '../../../platform/decimal.ts'
import { openMonth } from '../spend/read-month.ts'
import { freezeMonths, freezeMs } from './freeze.ts'
import { statementPaper } from './paper.ts'
import { listStatements } from './store.ts'

const app = await testApp({ role: 'web' })
const { given, ask, database } = app

let count = 0
const event = (meter: UsageEvent['meter'], value: string, at: string, name = 'one'): UsageEvent => ({
  source: 'test',
  id: `e${++count}`,
  meter,
  value,
  at: new Date(at),
  subject: { resource: { id: name, name } },
})
const record = ({ organizationId }: GivenUser, events: UsageEvent[]) =>
  database.withTenant(organizationId, (db) => recordUsage(db, organizationId, events))
const freeze = ({ organizationId }: GivenUser, at: string) =>
  database.withTenant(organizationId, (db) => freezeMonths(db, organizationId, new Date(at)))
const read = ({ token, organizationId }: GivenUser, path: string) =>
  ask('GET', `/api/billing/statements${path}`, { token, organizationId })

/** What the page of spend says that a month costs. */
const spendOf = ({ organizationId }: GivenUser, month: string) =>
  database.readTenant(organizationId, async (db) => {
    const { sums } = await openMonth(db, organizationId, month, await readBooks(db, organizationId))
    return decimalText(sumOf((await sums('service', {}, 50)).rows.map(({ amount }) => decimalOf(amount))))
  })

/** A sequence that is the same in every run. */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
}

test('statements of random events, some late and some negative, add up to the ledger to the last digit', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const random = randomOf(7)
  const meters = ['runs', 'step_seconds', 'log_gb', 'secret_reads', 'api_calls', 'database_gb_hours'] as const
  const some = (month: string, length: number) =>
    Array.from({ length }, () => {
      const sign = random(10) === 0 ? '-' : ''
      const day = String(random(28) + 1).padStart(2, '0')
      const at = `${month}-${day}T${String(random(24)).padStart(2, '0')}:30:00Z`
      return event(
        meters[random(6)] ?? 'runs',
        `${sign}${random(5_000)}.${random(1_000_000)}`,
        at,
        `r${random(9)}`,
      )
    })
  await record(owner, [...some('2026-07', 300), ...some('2026-08', 300)])
  expect(await freeze(owner, '2026-09-01T02:00:00Z')).toEqual([1, 2])
  await record(owner, [...some('2026-07', 40), ...some('2026-08', 40), ...some('2026-09', 300)])
  expect(await freeze(owner, '2026-10-01T02:00:00Z')).toEqual([3])
  const { statements } = (await read(owner, '')).body
  expect(statements.map(({ number }: { number: number }) => number)).toEqual([3, 2, 1])
  const billed = sumOf(statements.map(({ total }: { total: string }) => decimalOf(total)))
  const months = await Promise.all(['2026-07', '2026-08', '2026-09'].map((month) => spendOf(owner, month)))
  expect(decimalText(billed)).toBe(decimalText(sumOf(months.map(decimalOf))))
  for (const number of [1, 2, 3]) {
    const one = (await read(owner, `/${number}`)).body
    expect(one.proof.isEqual, one.proof.text).toBe(true)
    const csv = (await read(owner, `/${number}/download`)).text.trim().split('\r\n')
    const column = csv[0]?.split(',').indexOf('amount') ?? -1
    const sum = sumOf(csv.slice(1).map((line) => decimalOf(line.split(',')[column] ?? '')))
    expect(decimalText(sum)).toBe(one.total)
    const focus = (await read(owner, `/${number}/download?format=focus`)).text.trim().split('\r\n')
    expect(decimalText(sumOf(focus.slice(1).map((line) => decimalOf(line.split(',')[0] ?? ''))))).toBe(
      one.total,
    )
  }
})

test('the paper of a statement lists what it bills, corrections apart, and both tables add up to its total', async () => {
  const owner = await given.user({ role: 'OWNER' })
  await record(owner, [event('runs', '7.25', '2026-08-05T10:00:00Z', 'Deploy')])
  await freeze(owner, '2026-09-01T02:00:00Z')
  await record(owner, [
    event('runs', '-2.125', '2026-08-20T10:00:00Z', 'Deploy'),
    event('log_gb', '0.123456789', '2026-09-02T10:00:00Z', '=1+1'),
    event('step_seconds', '12345.678', '2026-09-03T10:00:00Z', 'Deploy'),
  ])
  await freeze(owner, '2026-10-01T02:00:00Z')
  const { total, usageTotal, correctionTotal } = (await read(owner, '/2')).body
  const paper = await database.readTenant(owner.organizationId, async (db) => {
    const [of] = await listStatements(db, owner.organizationId, 2)
    if (of === undefined) throw new Error('It was frozen')
    const totals = { usage: usageTotal, corrections: correctionTotal, total }
    return statementPaper(db, owner.organizationId, of, {
      organizationName: 'Nordlicht',
      proofText: '',
      services: [],
      totals,
    })
  })
  const amountsOf = (id: string) =>
    paper.sections
      .filter((section) => section.id === id)
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.kind === 'table' ? block.rows.map((row) => row.at(-2) ?? '') : []))
  expect(amountsOf('usage')).toHaveLength(2)
  expect(decimalText(sumOf(amountsOf('usage').map(decimalOf)))).toBe(usageTotal)
  expect(amountsOf('corrections')).toEqual([correctionTotal])
  expect(JSON.stringify(paper)).toContain('"August 2026"')
  const pdf = await read(owner, '/2/download?format=pdf')
  expect(pdf.status, pdf.text.slice(0, 200)).toBe(200)
  expect(pdf.text.slice(0, 5)).toBe('%PDF-')
})

test('a late event stands in the next statement as a correction, and the frozen one stays as it was', async () => {
  const owner = await given.user({ role: 'OWNER' })
  await record(owner, [event('runs', '100', '2026-08-05T10:00:00Z')])
  await freeze(owner, '2026-09-01T02:00:00Z')
  const before = (await read(owner, '/1')).body
  await record(owner, [
    event('runs', '50', '2026-08-20T10:00:00Z'),
    event('runs', '10', '2026-09-02T10:00:00Z'),
  ])
  const behind = (await read(owner, '/1')).body
  expect(behind.total).toBe(before.total)
  expect(behind.proof.isEqual).toBe(false)
  expect(behind.proof.text).toContain('The next statement corrects it.')
  await freeze(owner, '2026-10-01T02:00:00Z')
  const next = (await read(owner, '/2')).body
  expect(next.corrections).toHaveLength(1)
  expect(next.corrections[0].month).toBe('2026-08')
  expect(next.corrections[0].text).toContain('August 2026 changed by')
  expect((await read(owner, '/1')).body.proof.isEqual).toBe(true)
  const focus = (await read(owner, '/2/download?format=focus')).text
  expect(focus).toContain('Correction')
})

test('two processes freeze a month once, and nothing is frozen before 02:00 UTC of the 1st', async () => {
  const owner = await given.user({ role: 'OWNER' })
  await record(owner, [event('runs', '1', '2026-06-15T10:00:00Z')])
  expect(await freeze(owner, '2026-07-01T01:59:59Z')).toEqual([])
  const both = await Promise.all([
    freeze(owner, '2026-08-01T02:00:00Z'),
    freeze(owner, '2026-08-01T02:00:00Z'),
  ])
  expect(both.flat().toSorted((a, b) => a - b)).toEqual([1, 2])
})

test('a month of a time zone in the west is frozen when it has ended', () => {
  expect(freezeMs('2026-10', 'UTC')).toBe(Date.parse('2026-11-01T02:00:00Z'))
  expect(freezeMs('2026-10', 'Europe/Berlin')).toBe(Date.parse('2026-11-01T02:00:00Z'))
  const west = freezeMs('2026-10', 'America/Los_Angeles')
  expect(west).toBe(monthOf('2026-10', 'America/Los_Angeles').toMs)
  expect(west).toBeGreaterThan(Date.parse('2026-11-01T02:00:00Z'))
})

test('lines and statements cannot be changed or deleted, not by the owner of the tables either', async () => {
  const owner = await given.user({ role: 'OWNER' })
  await record(owner, [event('runs', '1', '2026-06-15T10:00:00Z')])
  await freeze(owner, '2026-07-01T02:00:00Z')
  const of = `where organization_id = ${owner.organizationId}`
  for (const text of [
    `update statement_lines set amount = 0 ${of}`,
    `delete from statement_lines ${of}`,
    `update statements set month = '2026-01' ${of}`,
    `delete from statements ${of}`,
  ]) {
    await expect(database.ownerPool.query(text), text).rejects.toThrow('Statements are immutable')
  }
})

test('another organization has none of them', async () => {
  const owner = await given.user({ role: 'OWNER' })
  await record(owner, [event('runs', '1', '2026-06-15T10:00:00Z')])
  await freeze(owner, '2026-07-01T02:00:00Z')
  const stranger = await given.user({ role: 'OWNER' })
  expect((await read(stranger, '')).body.statements).toEqual([])
  expect((await read(stranger, '/1')).status).toBe(404)
  expect((await read(stranger, '/1/download')).status).toBe(404)
})
