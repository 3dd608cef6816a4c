import { randomBytes } from 'node:crypto'
import { createReveal } from '../packages/server/src/features/secrets/reveal.ts'
import { createSecrets } from '../packages/server/src/features/secrets/service.ts'
import { audit, type AuditEntry } from '../packages/server/src/platform/audit/audit.ts'
import { realClock } from '../packages/server/src/platform/clock.ts'
import { createDataKeys } from '../packages/server/src/platform/crypto/data-keys.ts'
import { checkRootKey, fingerprintOf } from '../packages/server/src/platform/crypto/root-key.ts'
import { rotateRootKey } from '../packages/server/src/platform/crypto/rotate-root-key.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { report } from './figure.ts'
import { median } from './process-figures.ts'
import { measureSync } from './secret-sync.ts'
import { withDatabase } from './with-database.ts'

const secretCount = 10_000
const versionsEach = 10
const reveals = 1_000
const visits = 50

/** Reveals with their committed audit rows, the list of 10,000, and the change of the root key under 100,000 versions. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const rootKey = keyOf()
    await checkRootKey(database, rootKey)
    const parts = { database, dataKeys: createDataKeys(rootKey), clock: realClock }
    const user = await createGiven(database).user({ role: 'OWNER' })
    const { organizationId } = user
    const who = { organizationId, user, role: 'OWNER', via: 'session' } as const
    const secrets = createSecrets(parts)
    const made = {
      description: '',
      type: 'password',
      labels: {},
      maxVersions: 10,
      requireCas: false,
    } as const
    const { id } = await secrets.create({ ...made, name: 'revealed', value: 'value', encoding: 'utf8' }, who)

    const reveal = createReveal(parts)
    const times = { row: [] as number[], reveal: [] as number[] }
    const timed = async (into: number[], work: () => Promise<unknown>) => {
      const startedAt = performance.now()
      await work()
      into.push(performance.now() - startedAt)
    }
    for (let n = 0; n < reveals; n += 1) {
      await timed(times.row, () =>
        database.withTenant(organizationId, (db) => audit(db, entryOf(organizationId))),
      )
      // Of another person each time: of one they are limited.
      await timed(times.reveal, () =>
        reveal(id, { reason: 'Measured' }, { ...who, user: { ...who.user, id: n + 1 } }),
      )
    }
    const p95 = (each: number[]) => each.toSorted((a, b) => a - b)[Math.floor(reveals * 0.95)] ?? 0
    report({
      name: 'reveal, audit row committed, p95',
      value: p95(times.reveal),
      unit: 'ms',
      goal: 10,
      cause: 'no value leaves before the row that records it is on the disk',
      detail: `${(p95(times.reveal) / p95(times.row)).toFixed(2)} × one audit row committed`,
    })

    const page = { sort: 'name', page: 1, limit: 50 } as const
    const few = await medianOf(() => secrets.list(page, who))
    const alone = await rotation(database, rootKey, keyOf())
    await fill(database, organizationId)
    const many = await medianOf(() => secrets.list(page, who))
    report({
      name: `list of ${secretCount}`,
      value: many,
      unit: 'ms',
      detail: `${(many / few).toFixed(2)} × the list of one`,
    })
    const full = await rotation(database, alone.next, keyOf())
    report({
      name: `root key changed under ${secretCount * versionsEach} versions`,
      value: full.ms,
      unit: 'ms',
      goal: 1000,
      cause: 'each data key is unwrapped and wrapped anew',
      detail: `${(full.ms / alone.ms).toFixed(2)} × under one`,
    })
  })
  await measureSync()
}

const entryOf = (organizationId: number): AuditEntry => ({
  organizationId,
  actor: { type: 'user', id: 7, name: 'Ada', email: 'ada@example.com' },
  via: 'console',
  action: 'secret.reveal',
  class: 'read',
})

function keyOf() {
  const key = randomBytes(32)
  return { key, fingerprint: fingerprintOf(key) }
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let visit = 0; visit < visits; visit += 1) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

type Key = ReturnType<typeof keyOf>

async function rotation(database: Database, previous: Key, next: Key): Promise<{ ms: number; next: Key }> {
  const startedAt = performance.now()
  const moved = await rotateRootKey(database, { ...next, previous })
  if (moved === undefined) throw new Error('The root key was not changed')
  return { ms: performance.now() - startedAt, next }
}

/** Secrets with their versions, whose values nobody opens here. */
async function fill(database: Database, organizationId: number): Promise<void> {
  await database.ownerPool.query(
    `insert into secrets (id, organization_id, name, type, facts, current_version, last_version, value_hash, max_versions)
     select gen_random_uuid(), $1, 'secret-' || lpad(n::text, 6, '0'), 'opaque',
       '{"fields":{},"certificate":null,"contexts":[]}', $3::int, $3::int, 'hash-' || n, $3::int
     from generate_series(1, $2::int) n`,
    [organizationId, secretCount, versionsEach],
  )
  await database.ownerPool.query(
    `insert into secret_versions (organization_id, secret_id, version, status, sealed, value_hash)
     select s.organization_id, s.id, v, case when v = $2::int then 'current' else 'superseded' end,
       sha256(s.id::text::bytea) || sha256(v::text::bytea), 'hash'
     from secrets s, generate_series(1, $2::int) v where s.organization_id = $1 and s.name like 'secret-%'`,
    [organizationId, versionsEach],
  )
  await database.ownerPool.query('analyze secrets, secret_versions')
}
