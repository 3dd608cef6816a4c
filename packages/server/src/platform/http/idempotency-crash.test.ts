import { randomBytes } from 'node:crypto'
import type { Endpoint, EndpointName } from '@bey/contract'
import { api } from '@bey/contract/api'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { testDatabaseUrl } from '../../testing/database.ts'
import type { GivenUser } from '../../testing/given.ts'
import { startMain } from '../../testing/main-child.ts'
import { mutedConnection } from '../../testing/muted-connection.ts'
import { sweepCallOf } from '../../testing/sweep-calls.ts'

const databaseUrl = await testDatabaseUrl()
const secretKey = randomBytes(32)
const app = await testApp({ databaseUrl, secretKey })
/** They act on a cluster that really runs; their own tests repeat them. */
const onRunningClusters = new Set<EndpointName>(['kubernetes.drainNode', 'kubeconfig.import'])
const idempotent = (Object.entries(api) as [EndpointName, Endpoint][]).filter(
  ([name, each]) => each.isIdempotent && !onRunningClusters.has(name),
)

type Prepared = { user: GivenUser; method: string; path: string; body: unknown; key: string }

async function prepare(name: EndpointName, { method, path }: Endpoint): Promise<Prepared> {
  const user = await app.given.user()
  const { params = {}, body } = await sweepCallOf(name).call(
    { app, organizationId: user.organizationId, runningClusterId: 0 },
    user,
  )
  const filled = path.replace(/\{(\w+)\}/g, (_all, param: string) => String(params[param]))
  return { user, method, path: filled, body, key: `crash-${name}` }
}

function send(url: string, { user, method, path, body, key }: Prepared): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${user.token}`,
      'x-organization-id': String(user.organizationId),
      'idempotency-key': key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Everything that a POST of these could have made twice. */
async function made({ user }: Prepared): Promise<unknown> {
  const { rows } = await app.database.ownerPool.query(
    `select (select count(*) from memberships where user_id = $1) as organizations,
       (select count(*) from clusters where organization_id = $2) as clusters,
       (select count(*) from workflow_runs where organization_id = $2) as runs,
       (select count(*) from annotations where organization_id = $2) as annotations,
       (select coalesce(sum(reply_count), 0) from annotations where organization_id = $2) as replies,
       (select coalesce(sum(occurrence_count), 0) from error_groups where organization_id = $2) as errors,
       (select count(*) from notifications where organization_id = $2) as notifications`,
    [user.id, user.organizationId],
  )
  return rows[0]
}

/** Whether the reply was committed; nobody has heard of it yet. */
async function isKept({ user }: Prepared): Promise<boolean> {
  const { rows } = await app.database.ownerPool.query(
    'select 1 from idempotency_keys where user_id = $1 and status_code is not null',
    [user.id],
  )
  return rows.length === 1
}

/** Has a server carry out the calls, none of which hears of its commit, and kills it. */
async function carryOutAndKill(calls: Prepared[]): Promise<void> {
  const connection = await mutedConnection(databaseUrl)
  const doomed = await startMain({
    DATABASE_URL: connection.url,
    BEY_SECRET_KEY: secretKey.toString('base64'),
  })
  connection.mute()
  for (const call of calls) {
    send(doomed.url, call).catch(() => undefined)
    await vi.waitFor(async () => expect([call.path, await isKept(call)]).toEqual([call.path, true]), 60_000)
  }
  await doomed.kill()
}

/** Each call keeps one of a server's ten connections, and so does what the server changes by itself meanwhile. */
const callsPerServer = 1

test('what was committed before the server was killed is answered to a retry, and is not carried out again', async () => {
  const calls = await Promise.all(idempotent.map(([name, endpoint]) => prepare(name, endpoint)))
  expect(calls.length).toBeGreaterThan(8)
  for (let from = 0; from < calls.length; from += callsPerServer) {
    await carryOutAndKill(calls.slice(from, from + callsPerServer))
  }

  for (const call of calls) {
    const before = await made(call)
    const reply = await send(app.url, call)
    const { status, headers } = reply
    expect([call.path, status < 300, headers.get('idempotency-replayed')]).toEqual([call.path, true, 'true'])
    expect(await made(call)).toEqual(before)
  }
}, 300_000)

test.each(idempotent)('%s answers the same again', async (name, endpoint) => {
  const call = await prepare(name, endpoint)
  const first = await send(app.url, call)
  const again = await send(app.url, call)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true'])
  expect(await again.json()).toEqual(await first.json())
})
