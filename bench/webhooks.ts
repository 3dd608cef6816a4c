import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Parts } from '../packages/server/src/feature.ts'
import { webhooksFeature } from '../packages/server/src/features/webhooks/feature.ts'
import { audit } from '../packages/server/src/platform/audit/audit.ts'
import { realClock } from '../packages/server/src/platform/clock.ts'
import { createDataKeys } from '../packages/server/src/platform/crypto/data-keys.ts'
import { checkRootKey, fingerprintOf } from '../packages/server/src/platform/crypto/root-key.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { publish } from '../packages/server/src/platform/live/publish.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { createAddressGuard } from '../packages/server/src/platform/outbound/address-guard.ts'
import { createOutbound } from '../packages/server/src/platform/outbound/outbound.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { withDatabase } from './with-database.ts'
import { report } from './figure.ts'

const perSecond = 200
const seconds = 15
const bareCount = 500
const maxUnderWay = 8
const rateCause = 'this process publishes, delivers and receives at once, and waits where it falls behind'
const waitCause = 'what is due is looked for twice a second'

/** From the commit of an event to the arrival of its first message, at 200 events a second, beside a commit with a bare POST. */
export async function run(): Promise<void> {
  const arrivals = new Map<string, number>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const id = /"secretId":"([^"]+)"/.exec(text)?.[1]
      if (id !== undefined && !arrivals.has(id)) arrivals.set(id, performance.now())
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  await withDatabase(async (database) => {
    const bare = await measureBare(database, url)
    const { times: sent, rate } = await measureEvents(database, url, arrivals)
    const p95 = (each: number[]) => each.toSorted((a, b) => a - b)[Math.floor(each.length * 0.95)] ?? 0
    const detail = `${(p95(sent) / p95(bare)).toFixed(1)} × a commit and a bare POST`
    report({ name: 'events', value: rate, unit: '/s', goal: 200, isAtLeast: true, cause: rateCause })
    report({
      name: 'event to first attempt, p95',
      value: p95(sent),
      unit: 'ms',
      goal: 1_000,
      detail,
      cause: waitCause,
    })
  })
  server.closeAllConnections()
  server.close()
}

async function measureBare(database: Database, url: string): Promise<number[]> {
  const { id: organizationId } = await createGiven(database).organization()
  const times: number[] = []
  for (let n = 0; n < bareCount; n += 1) {
    const startedAt = performance.now()
    await database.withTenant(organizationId, (db) =>
      audit(db, {
        organizationId,
        actor: { type: 'system', name: 'Bey', email: null },
        via: 'system',
        action: 'bench.step',
        class: 'update',
      }),
    )
    await (await fetch(url, { method: 'POST', body: '{}' })).arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Milliseconds from commit to arrival of each, and how many a second there were. */
async function measureEvents(
  database: Database,
  url: string,
  arrivals: ReadonlyMap<string, number>,
): Promise<{ times: number[]; rate: number }> {
  const rootKey = randomKey()
  await checkRootKey(database, rootKey)
  const user = await createGiven(database).user({ role: 'OWNER' })
  const { organizationId } = user
  const feature = webhooksFeature(
    {
      database,
      clock: realClock,
      log: createLog({ level: 'error', write: (line) => process.stderr.write(line) }),
      outbound: createOutbound(createAddressGuard({ kind: 'any' })),
    } as Parts,
    {
      dataKeys: createDataKeys(rootKey),
      onDisabled: async () => undefined,
      baseUrl: () => 'http://localhost:8080',
    },
  )
  const origin = { ip: '127.0.0.1', userAgent: 'bench', requestId: 'bench' }
  const caller = { ...origin, user, organizationId, role: 'OWNER', via: 'session' }
  await feature.handlers['webhooks.create']({
    // Of the caller only what a webhook needs is given.
    caller: caller as never,
    body: {
      name: 'bench',
      url,
      events: ['secret.updated'],
      headers: {},
      isOrdered: false,
      auditClasses: [],
      auditFrom: 'next',
    },
  } as never)
  const committed = new Map<string, number>()
  const startedAt = performance.now()
  const underWay = new Set<Promise<unknown>>()
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const secretId = `bench-${n}`
    // On a machine that is too busy for the rate, events come later instead of exhausting the connections.
    if (underWay.size >= maxUnderWay) await Promise.race(underWay)
    const work = database
      .withTenant(organizationId, (db) =>
        publish(db, { organizationId, type: 'SECRETS_UPDATE', data: { secretId } }),
      )
      .then(() => committed.set(secretId, performance.now()))
      .finally(() => underWay.delete(work))
    underWay.add(work)
    const aheadMs = ((n + 1) / perSecond) * 1_000 - (performance.now() - startedAt)
    if (aheadMs > 1) await pause(aheadMs)
  }
  await Promise.all(underWay)
  const rate = (committed.size / (performance.now() - startedAt)) * 1_000
  for (let waited = 0; arrivals.size < committed.size && waited < 300; waited += 1) await pause(100)
  await feature.close()
  if (arrivals.size < committed.size)
    throw new Error(`${committed.size - arrivals.size} messages did not arrive`)
  const times = [...committed].map(([id, at]) => Math.max(0, (arrivals.get(id) ?? 0) - at))
  return { times, rate }
}

function randomKey() {
  const key = randomBytes(32)
  return { key, fingerprint: fingerprintOf(key) }
}
