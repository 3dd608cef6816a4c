import { setTimeout as sleep } from 'node:timers/promises'

import { ask, missingRows, open, type Sentinels } from './sentinels.ts'
import { type Endpoint, type World } from './world.ts'

/** What an act is made on: a database that is written to all the time. */
type Subject = { world: World; id: string; endpoint: Endpoint; sentinels: Sentinels; number: number }

/** What did not hold, in words. */
export type Findings = {
  lost: string[]
  notRestorable: string[]
  unended: string[]
  /** A good backup that was called bad, an end without a cause, an act that could not be made again. */
  wrong: string[]
}

type Disturb = () => Promise<void>
/** Does something that kills interrupt at `disturb`, and examines what is left once everything has settled. */
type Act = (subject: Subject, disturb: Disturb, findings: Findings) => Promise<void>

const patienceMs = 120_000

/** A database is made; a creation that was interrupted ends with a cause and can be repeated. */
const create: Act = async ({ world, number }, disturb, findings) => {
  const made = await world.ask('POST', '/api/databases', { provider: 'embedded', name: `new-${number}` })
  await disturb()
  await settle(world, findings)
  const id = String(made.body['id'])
  await makeAvailable(world, id, findings)
  await ask(await world.endpointOf(id), 'create table if not exists mine (n int)')
  await remove(world, id, findings)
}

/** A backup is called complete only when it leads to every row that was acknowledged before it began. */
const backup: Act = async (subject, disturb, findings) => {
  const { world, id, sentinels } = subject
  const expected = sentinels.until(Date.now())
  const begun = await begin(world, `/api/databases/${id}/backups`)
  await disturb()
  await settle(world, findings)
  const row = await world.one('select status, failure from database_backups where id = $1', [begun['id']])
  if (row?.['status'] === 'failed') {
    if (row['failure'] == null) findings.wrong.push(`A backup failed without a cause`)
    return
  }
  await restoreAndCompare(subject, { backupId: begun['id'] }, expected, findings)
}

/** What was acknowledged while the archive was disturbed is restored to the second. */
const archive: Act = async (subject, disturb, findings) => {
  const { world, endpoint, sentinels } = subject
  const bulk = writeBulk(endpoint)
  await disturb()
  await bulk
  await settle(world, findings)
  const at = Date.now()
  await restoreAndCompare(
    subject,
    { targetTime: new Date(at + 1).toISOString() },
    sentinels.until(at),
    findings,
  )
}

const restore: Act = async (subject, disturb, findings) => {
  const { sentinels } = subject
  const at = Date.now()
  const wish = { targetTime: new Date(at + 1).toISOString() }
  await restoreAndCompare(subject, wish, sentinels.until(at), findings, disturb)
}

/** A drill that was interrupted proves nothing, and leaves nothing behind. */
const drill: Act = async ({ world, id }, disturb, findings) => {
  const begun = await begin(world, `/api/databases/${id}/drill`)
  await disturb()
  await settle(world, findings)
  const row = await world.one('select proof, failure from database_restores where id = $1', [begun['id']])
  if (row?.['proof'] === 'failed') findings.wrong.push(`A drill failed: ${String(row['failure'])}`)
  if (row?.['proof'] == null) findings.wrong.push('A drill ended without saying what it proved')
}

/** Either database keeps every row of its own through a swap and its undoing, whatever interrupts them. */
const swap: Act = async (subject, disturb, findings) => {
  const { world, id, endpoint, sentinels, number } = subject
  await sentinels.pause()
  const expected = sentinels.until(Date.now())
  const restored = await begin(world, `/api/databases/${id}/restore`, {
    name: `copy-${number}`,
    targetTime: new Date(Date.now() + 1).toISOString(),
  })
  const copyId = String((restored['newDatabase'] as { id: string }).id)
  await settle(world, findings)
  await makeAvailable(world, copyId, findings)
  await begin(world, `/api/databases/${id}/swap`, { withDatabaseId: copyId })
  await disturb()
  await settle(world, findings)
  const swapped = await world.one('select id, status from database_swaps where database_id = $1', [copyId])
  if (swapped?.['status'] === 'completed') {
    await compare(await world.endpointOf(copyId), expected, findings, 'the copy that was swapped in')
    await compare(await world.endpointOf(id), expected, findings, 'the database that was swapped out')
    await begin(world, `/api/databases/${id}/undo-swap`)
    await disturb()
    await settle(world, findings)
    const undone = await world.one('select status from database_swaps where id = $1', [swapped['id']])
    if (undone?.['status'] !== 'undone') {
      await begin(world, `/api/databases/${id}/undo-swap`)
      await settle(world, findings)
    }
  } else if (swapped?.['status'] !== 'failed') findings.wrong.push(`A swap is ${String(swapped?.['status'])}`)
  const row = await world.one('select name, status, reason from databases where id = $1', [id])
  if (row?.['name'] !== 'orders') findings.wrong.push(`After a swap it is called ${String(row?.['name'])}`)
  await compare(endpoint, expected, findings, 'the database after its swap')
  await compare(await world.endpointOf(copyId), expected, findings, 'the copy after the swap')
  await remove(world, copyId, findings)
  sentinels.resume()
}

export const acts = { create, backup, archive, restore, swap, drill } as const satisfies Record<string, Act>
export type ActName = keyof typeof acts

/** Restores into a new database, which has to have these rows, and removes it. */
async function restoreAndCompare(
  { world, id, number }: Subject,
  wish: object,
  expected: readonly number[],
  findings: Findings,
  disturb?: Disturb,
): Promise<void> {
  const path = `/api/databases/${id}/restore`
  const begun = await begin(world, path, { name: `copy-${number}`, ...wish }).catch((error: unknown) => {
    findings.notRestorable.push(String(error))
  })
  if (begun === undefined) return
  const copyId = String((begun['newDatabase'] as { id: string }).id)
  await disturb?.()
  await settle(world, findings)
  const failed = await makeAvailable(world, copyId, findings)
  if (disturb === undefined && failed !== undefined) findings.notRestorable.push(failed)
  if (failed === undefined || disturb !== undefined) {
    await compare(await world.endpointOf(copyId), expected, findings, 'a restored copy')
  }
  await remove(world, copyId, findings)
}

/** The reply to what begins something; waits while something else is under way. */
async function begin(world: World, path: string, body?: object): Promise<Record<string, unknown>> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const reply = await world.ask('POST', path, body)
    if (reply.status < 300) return reply.body
    if (reply.status !== 409 || Date.now() > deadline) {
      throw new Error(`${path} answered ${reply.status}: ${String(reply.body['detail'])}`)
    }
    await sleep(500)
  }
}

/** Answers why the database was not made at first, where it was not; it is then made again. */
async function makeAvailable(world: World, id: string, findings: Findings): Promise<string | undefined> {
  const row = await world.one('select status, reason from databases where id = $1', [id])
  if (row?.['status'] === 'available') return undefined
  if (row?.['reason'] == null) findings.wrong.push(`A database is ${String(row?.['status'])} without a cause`)
  await begin(world, `/api/databases/${id}/provision`)
  await settle(world, findings)
  const again = await world.one('select status, reason from databases where id = $1', [id])
  if (again?.['status'] !== 'available') {
    findings.wrong.push(
      `Made again, a database is ${String(again?.['status'])}: ${String(again?.['reason'])}`,
    )
  }
  return String(row?.['reason'])
}

async function compare(endpoint: Endpoint, expected: readonly number[], findings: Findings, where: string) {
  try {
    const missing = await missingRows(endpoint, expected)
    if (missing.length > 0) findings.lost.push(`${missing.length} rows of ${expected.length} in ${where}`)
  } catch (error) {
    findings.wrong.push(`${where} does not answer: ${String(error)}`)
  }
}

async function remove(world: World, id: string, findings: Findings): Promise<void> {
  await world.ask('DELETE', `/api/databases/${id}`)
  await settle(world, findings)
  const row = await world.one('select deleted_at, reason from databases where id = $1', [id])
  if (row?.['deleted_at'] == null) findings.wrong.push(`Not deleted: ${String(row?.['reason'])}`)
}

async function settle(world: World, findings: Findings): Promise<void> {
  findings.unended.push(...(await world.settled()))
}

/** More than a segment of WAL; whether it arrives matters to nobody. */
async function writeBulk(endpoint: Endpoint): Promise<void> {
  try {
    const client = await open(endpoint)
    await client.query('create table if not exists bulk (n int, text text)')
    await client.query('insert into bulk select n, md5(n::text) from generate_series(1, 200000) n')
    await client.query('truncate bulk')
    await client.end()
  } catch {
    // Its server was killed.
  }
}
