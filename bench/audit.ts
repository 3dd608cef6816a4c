import { audit, type AuditEntry } from '../packages/server/src/platform/audit/audit.ts'
import { createAuditBatch } from '../packages/server/src/platform/audit/batch.ts'
import { linkAudit } from '../packages/server/src/platform/audit/linker.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { listEntries, countEntries } from '../packages/server/src/features/audit/store.ts'
import type { AuditFilter } from '../packages/server/src/features/audit/filter.ts'
import { verifyChain } from '../packages/server/src/platform/audit/verify-chain.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { median } from './process-figures.ts'
import { withDatabase } from './with-database.ts'
import { report } from './figure.ts'

const entriesPerRound = 3000
const rounds = 5
const writers = 32
const commitCause = 'an entry is answered once its commit is on the disk'
const verifyCause = 'each entry is made a text and hashed anew, by PostgreSQL'

/** Audit entries per second of one organization: written, linked, verified; and how long finding some of a million takes. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const { id } = await createGiven(database).organization()
    const batch = createAuditBatch(database)
    const figures: { own: number; alone: number; linked: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const own = await perSecond((n) => database.withTenant(id, (db) => audit(db, entryOf(id, n))))
      const alone = await perSecond((n) => batch.write(entryOf(id, n)))
      const startedAt = performance.now()
      await linkAudit(database)
      const linked = (2 * entriesPerRound) / ((performance.now() - startedAt) / 1000)
      // The first warms up.
      if (round > 0) figures.push({ own, alone, linked })
    }
    const middle = (of: (figure: (typeof figures)[number]) => number) => median(figures.map(of))
    const perSecondOf = { unit: '/s', isAtLeast: true } as const
    const own = middle((each) => each.own)
    report({
      ...perSecondOf,
      name: 'entries, each in a transaction of its own',
      value: own,
      goal: 2_000,
      cause: commitCause,
    })
    report({
      ...perSecondOf,
      name: 'entries standing alone',
      value: middle(({ alone }) => alone),
      goal: 2_000,
      cause: commitCause,
    })
    report({ ...perSecondOf, name: 'entries linked into the chain', value: middle(({ linked }) => linked) })
    const startedAt = performance.now()
    const verdict = await verifyChain(database, id, new Map(), async () => undefined)
    if (!verdict.isIntact) throw new Error(verdict.problem)
    const verified = verdict.entries / ((performance.now() - startedAt) / 1000)
    report({ ...perSecondOf, name: 'entries verified', value: verified, goal: 50_000, cause: verifyCause })
    await benchSearch(database)
  })
}

const crowd = 1_000_000

/** What people ask of a log of a million entries; each has the first page and the count of it. */
const searches: [string, AuditFilter][] = [
  ['nothing in particular', {}],
  ['a busy actor', { actor: '7' }],
  ['a rare action', { action: 'secret.reveal' }],
  ['a busy actor and a rare action', { actor: '7', action: 'secret.reveal' }],
  ['a class', { class: 'auth' }],
  ['one resource', { targetType: 'secret', targetId: '42' }],
  ['what was refused', { outcome: 'denied' }],
  ['an address', { ip: '10.0.3.77' }],
  ['a request', { requestId: 'req-500000' }],
  ['an hour a year ago', { from: '2025-11-22T10:00:00Z', to: '2025-11-22T11:00:00Z' }],
  ['a text in few names', { search: 'password-77' }],
  ['a text in many names', { search: 'user' }],
  ['a text and a class', { search: 'user-3', class: 'auth' }],
  ['a text that nothing has', { search: 'nowhere' }],
]

async function benchSearch(database: Database): Promise<void> {
  const { id } = await createGiven(database).organization()
  await fill(database, id)
  let slowest = { name: '', ms: 0 }
  for (const [name, filter] of searches) {
    const times: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const startedAt = performance.now()
      await database.readTenant(id, (db) =>
        Promise.all([listEntries(db, id, filter, { limit: 51 }), countEntries(db, id, filter, 10_000)]),
      )
      times.push(performance.now() - startedAt)
    }
    if (median(times) > slowest.ms) slowest = { name, ms: median(times) }
    report({ name: `search for ${name}`, value: median(times), unit: 'ms' })
  }
  report({
    name: `slowest search of ${crowd.toLocaleString('en')} entries`,
    value: slowest.ms,
    unit: 'ms',
    goal: 100,
    detail: slowest.name,
    cause: 'what two indexes find is compared, and the total is counted up to 10,000',
  })
}

/** A year and a half of entries, written past the triggers, which would take minutes. */
async function fill(database: Database, id: number): Promise<void> {
  const client = await database.ownerPool.connect()
  try {
    await client.query('alter table audit_entries disable trigger user')
    await client.query(
      `insert into audit_entries (organization_id, seq, id, at, actor_type, actor_id, actor_display, via, action, class,
         target_type, target_id, target_name, outcome, ip, request_id, diff)
       select $1, 1000000 + n, gen_random_uuid(), timestamptz '2026-11-22' - (1000000 - n) * interval '47 seconds', 'user',
         case when n % 3 = 0 then '7' else (n % 500)::text end,
         'user-' || case when n % 3 = 0 then 7 else n % 500 end, 'console',
         case when n % 997 = 0 then 'secret.reveal' when n % 20 = 0 then 'session.begin' else 'kubernetes.patch' end,
         case when n % 997 = 0 then 'read' when n % 20 = 0 then 'auth' else 'update' end,
         'secret', (n % 5000)::text, 'password-' || n % 5000,
         case when n % 211 = 0 then 'denied' else 'success' end,
         '10.0.' || n % 7 || '.' || n % 200, 'req-' || n, '{"verb": "patch"}'
       from generate_series(1, ${crowd}) n`,
      [id],
    )
    await client.query('alter table audit_entries enable trigger user')
    await client.query(
      `insert into audit_terms select distinct organization_id, t.field, t.value, t.id from audit_entries e
       cross join lateral (values ('actor', actor_display, actor_id), ('action', action, ''), ('target', target_name, ''),
         ('ip', ip, '')) t(field, value, id) where organization_id = $1`,
      [id],
    )
    await client.query('vacuum analyze audit_entries')
    await client.query('analyze audit_terms')
  } finally {
    client.release()
  }
}

async function perSecond(write: (n: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  let next = 0
  const worker = async () => {
    while (next < entriesPerRound) await write((next += 1))
  }
  await Promise.all(Array.from({ length: writers }, worker))
  return entriesPerRound / ((performance.now() - startedAt) / 1000)
}

function entryOf(organizationId: number, n: number): AuditEntry {
  return {
    organizationId,
    actor: { type: 'user', id: 7, name: 'Ada', email: 'ada@example.com' },
    via: 'kubectl',
    action: 'kubernetes.patch',
    class: 'update',
    target: { type: 'cluster', id: 12, name: 'blue' },
    ip: '127.0.0.1',
    userAgent: 'kubectl/v1.33.0',
    diff: { verb: 'patch', resource: 'deployments', group: 'apps', namespace: 'default', name: `web-${n}` },
  }
}
