import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../packages/server/src/platform/db/database.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { load } from './load.ts'
import { cpuMs, median } from './process-figures.ts'
import { report } from './figure.ts'

const warmUp = 2000
const counted = 3000
const rounds = 7
/** So many that none of them meets the rate limit of 600 requests a minute. */
const callers = 64

/** Server CPU of an authenticated list with an API key against the same with a session. */
export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-bench-'))
  const database = await openDatabase({ dataDir }, createLog({ level: 'error' }))
  const bey = await startBey({ env: { DATABASE_URL: database.url } })
  const given = createGiven(database)
  const { id: organizationId } = await given.organization()
  await given.clusterCrowd(organizationId, 50)
  const people = await Promise.all(Array.from({ length: callers }, () => given.user({ organizationId })))
  const keys = await Promise.all(people.map((person) => given.apiKey(person)))
  const headersOf = ({ token }: { token: string }) => ({
    authorization: `Bearer ${token}`,
    'x-organization-id': String(organizationId),
  })
  const url = `${bey.url}/api/kubernetes/clusters?limit=50`
  const sets = { session: people.map(headersOf), key: keys.map(headersOf) }

  async function cpuPerRequest(headers: Record<string, string>[]): Promise<number> {
    const before = cpuMs(bey.pid)
    await load(url, headers, counted)
    return (cpuMs(bey.pid) - before) / counted
  }

  await load(url, sets.session, warmUp)
  await load(url, sets.key, warmUp)
  const figures: { session: number; key: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    figures.push({ session: await cpuPerRequest(sets.session), key: await cpuPerRequest(sets.key) })
  }
  const micros = (name: 'session' | 'key') =>
    `${(median(figures.map((each) => each[name])) * 1000).toFixed(0)} µs`
  report({
    name: 'CPU of a list of 50 with an API key against a session',
    value: median(figures.map(({ key, session }) => key / session)),
    unit: '×',
    goal: 1.05,
    cause: 'a key has permissions, a rate and a last use of its own, which a session has not',
    detail: `${micros('key')} against ${micros('session')}`,
  })
  await bey.stop()
  await database.close()
  removeData(bey)
  rmSync(dataDir, { recursive: true, force: true })
}
