import { setTimeout as sleep } from 'node:timers/promises'

import { seeded } from '../seeded.ts'
import { type ActName, acts, type Findings } from './acts.ts'
import { missingRows, open, startSentinels } from './sentinels.ts'
import { killIfThere, openWorld, type World } from './world.ts'

export type DatabaseChaosFigures = Findings & {
  kills: number
  beyKilled: number
  serversKilled: number
  /** Rows that the database acknowledged. */
  acknowledged: number
  actsByName: Record<ActName, number>
}

type Options = {
  /** Goes on until at least so many processes were killed. */
  kills: number
  seed: number
  acts?: readonly ActName[]
  onAct?(figures: DatabaseChaosFigures, act: ActName, ms: number): void
}

const everyAct = Object.keys(acts) as ActName[]
/** Within which an act is killed: about as long as it takes. */
const spanMs: Record<ActName, number> = {
  create: 3_500,
  backup: 1_500,
  archive: 2_000,
  restore: 4_000,
  swap: 3_000,
  drill: 5_000,
}
const killsAtOnce = 3

/**
 * A database that is written to all the time, while Bey (its process) or the PostgreSQL of a database ends with SIGKILL at
 * random moments of what is done with it. The same seed gives the same acts and moments.
 */
export async function causeDatabaseChaos(options: Options): Promise<DatabaseChaosFigures> {
  const random = seeded(options.seed)
  const names = options.acts ?? everyAct
  const figures: DatabaseChaosFigures = {
    kills: 0,
    beyKilled: 0,
    serversKilled: 0,
    acknowledged: 0,
    actsByName: { create: 0, backup: 0, archive: 0, restore: 0, swap: 0, drill: 0 },
    lost: [],
    notRestorable: [],
    unended: [],
    wrong: [],
  }
  const world = await openWorld()
  try {
    const { id, endpoint } = await makeSubject(world)
    const sentinels = startSentinels(endpoint)
    for (let number = 1; figures.kills < options.kills; number += 1) {
      const name = names[(number - 1) % names.length] ?? 'create'
      const begunMs = performance.now()
      const found: Findings = { lost: [], notRestorable: [], unended: [], wrong: [] }
      const disturb = () => killSome(world, name, random, figures)
      const until = () => sentinels.until(Date.now())
      try {
        await acts[name]({ world, id, endpoint, sentinels, number }, disturb, found)
        const missing = await missingRows(endpoint, until())
        if (missing.length > 0) found.lost.push(`${missing.length} rows in the database itself`)
      } catch (error) {
        found.wrong.push(String(error))
        sentinels.resume()
      }
      const at = (each: string) => `act ${number} (${name}): ${each}`
      for (const kind of ['lost', 'notRestorable', 'unended', 'wrong'] as const) {
        figures[kind].push(...found[kind].map(at))
      }
      figures.acknowledged = sentinels.count()
      figures.actsByName[name] += 1
      options.onAct?.(figures, name, performance.now() - begunMs)
    }
    await sentinels.stop()
    const { body } = await world.ask('GET', `/api/databases/${id}/window`)
    if (JSON.stringify(body['gaps']) !== '[]') figures.lost.push(`gaps: ${JSON.stringify(body['gaps'])}`)
  } finally {
    await world.close()
  }
  return figures
}

/** The database with the table of sentinels, and its first backup. */
async function makeSubject(world: World) {
  const made = await world.ask('POST', '/api/databases', { provider: 'embedded', name: 'orders' })
  const id = String(made.body['id'])
  await world.settled()
  const endpoint = await world.endpointOf(id)
  const client = await open(endpoint)
  await client.query('create table sentinels (n int primary key)')
  await client.end()
  await world.ask('POST', `/api/databases/${id}/backups`)
  await world.settled()
  return { id, endpoint }
}

/** One to three kills at moments within an act, each of Bey or of a server. */
async function killSome(
  world: World,
  name: ActName,
  random: () => number,
  figures: DatabaseChaosFigures,
): Promise<void> {
  const count = 1 + Math.floor(random() * killsAtOnce)
  for (let kill = 0; kill < count; kill += 1) {
    await sleep((random() * spanMs[name]) / count)
    const [which, whose] = [random(), random()]
    if (which < 0.5) {
      figures.beyKilled += 1
      figures.kills += 1
      await world.bey.replace()
      continue
    }
    const pids = await world.serverPids()
    const pid = pids[Math.floor(whose * pids.length)]
    if (pid === undefined) continue
    killIfThere(pid)
    figures.serversKilled += 1
    figures.kills += 1
  }
}
