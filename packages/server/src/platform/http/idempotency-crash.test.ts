import { randomBytes } from 'node:crypto'
import { type Endpoint, type EndpointName, isIdempotent } from '@bey/contract'
import { api } from '@bey/contract/api'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { testDatabaseUrl } from '../../testing/database.ts'
import { sleepDemos } from '../../testing/sleep-demos.ts'
import type { GivenUser } from '../../testing/given.ts'
import { startMain } from '../../testing/main-child.ts'
import { mutedConnection } from '../../testing/muted-connection.ts'
import { sweepCallOf } from '../../testing/sweep-calls.ts'

const databaseUrl = await testDatabaseUrl()
await recordChanges(databaseUrl)
const secretKey = randomBytes(32)
const app = await testApp({ databaseUrl, secretKey })
afterEach(() => sleepDemos(app.database))
/** They act on a cluster that really runs; their own tests repeat them. */
const onRunningClusters = new Set<EndpointName>([
  'kubernetes.drainNode',
  'kubeconfig.import',
  'databases.adopt',
  'databases.clusterBackups.create',
  'databases.clusterBackups.restore',
  'networks.takeOver.start',
  'savings.apply',
  'savings.undo',
])
const idempotent = (Object.entries(api) as [EndpointName, Endpoint][]).filter(
  ([name, each]) => isIdempotent(each) && !onRunningClusters.has(name),
)

/**
 * Records in `recorded_changes` which transactions change tables of organizations and of users. A row names only the
 * last transaction that changed it, and work in the background may have followed. Called before a server locks tables.
 */
async function recordChanges(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'idempotency_keys'
         and exists (select from pg_attribute a where a.attrelid = c.oid
                     and a.attname in ('organization_id', 'user_id') and not a.attisdropped)`,
    )
    await client.query(
      `create table recorded_changes (table_name text not null, xid xid not null);
       create function record_change() returns trigger language plpgsql security definer set search_path = public as $$
       begin
         insert into recorded_changes values (tg_table_name, pg_current_xact_id()::xid);
         return null;
       end $$`,
    )
    for (const { name } of tables) {
      await client.query(
        `create trigger record_change after insert or update or delete on ${name}
         for each row execute function record_change()`,
      )
    }
  } finally {
    await client.end()
  }
}

type Prepared = { user: GivenUser; method: string; path: string; body: unknown; key: string }

async function prepare(name: EndpointName, { method, path }: Endpoint): Promise<Prepared> {
  const user = await app.given.user()
  const { organizationId } = user
  // Said to run, which is all that these calls look at.
  const cluster = await app.given.cluster({ organizationId, status: 'RUNNING' })
  const { params = {}, body } = await sweepCallOf(name).call(
    { app, organizationId, runningClusterId: cluster.id },
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

/** Has a server carry out a call that does not hear of its commit, and kills it. */
async function carryOutAndKill(call: Prepared): Promise<void> {
  const connection = await mutedConnection(databaseUrl)
  const doomed = await startMain({
    DATABASE_URL: connection.url,
    BEY_SECRET_KEY: secretKey.toString('base64'),
  })
  connection.mute()
  send(doomed.url, call).catch(() => undefined)
  await vi.waitFor(async () => expect([call.path, await isKept(call)]).toEqual([call.path, true]), 60_000)
  await doomed.kill()
}

/**
 * A start takes seconds, so some calls represent all: in an organization, of a user alone, and with a run that begins.
 * That every reply is committed with its change is shown of each call below.
 */
const killed: EndpointName[] = [
  'secrets.create',
  'organizations.create',
  'clusters.create',
  'notifications.record',
]

test('what was committed before the server was killed is answered to a retry, and is not carried out again', async () => {
  const calls = await Promise.all(killed.map((name) => prepare(name, api[name])))
  const others = calls.slice(2)
  await Promise.all(calls.slice(0, 2).map(carryOutAndKill))
  await Promise.all(others.map(carryOutAndKill))

  for (const call of calls) {
    const before = await made(call)
    const reply = await send(app.url, call)
    const { status, headers } = reply
    expect([call.path, status < 300, headers.get('idempotency-replayed')]).toEqual([call.path, true, 'true'])
    expect(await made(call)).toEqual(before)
  }
}, 120_000)

test.each(idempotent)('%s commits its reply in the transaction of its change', async (name, endpoint) => {
  const call = await prepare(name, endpoint)
  const reply = await send(app.url, call)
  expect([name, reply.status < 300]).toEqual([name, true])
  const { rows } = await app.database.ownerPool.query<{ table: string }>(
    `select distinct c.table_name as table from recorded_changes c
     join idempotency_keys k on k.xmin = c.xid
     where k.user_id = $1 and k.status_code is not null`,
    [call.user.id],
  )
  expect(rows).not.toEqual([])
  const { rows: entries } = await app.database.ownerPool.query(
    `select e.action from audit_entries e
     where e.actor_id = $1::text and e.request_id = $2 and e.class <> 'read'
       and e.xmin <> (select k.xmin from idempotency_keys k where k.user_id = $1::int and k.status_code is not null)`,
    [call.user.id, reply.headers.get('x-request-id')],
  )
  expect(entries).toEqual([])
})

test.each(idempotent)('%s answers the same again', async (name, endpoint) => {
  const call = await prepare(name, endpoint)
  const first = await send(app.url, call)
  const again = await send(app.url, call)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true'])
  expect(await again.json()).toEqual(await first.json())
})
