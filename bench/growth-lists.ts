import type { AuditFilter } from '../packages/server/src/features/audit/filter.ts'
import { countEntries, listEntries } from '../packages/server/src/features/audit/store.ts'
import { listSecrets } from '../packages/server/src/features/secrets/store.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { compareGrowth } from './compare-growth.ts'

const entries = { few: 1_000, many: 300_000 }
const secrets = { few: 1_000, many: 10_000 }
const others = 20
const pageSize = 50
const exact = 10_000
const cause =
  'the total is exact to 10,000: up to 10,001 rows are counted, where the small organization has 1,000 at most'

const searches: readonly (readonly [name: string, filter: AuditFilter])[] = [
  ['audit', {}],
  ['audit, a class', { class: 'auth' }],
  ['audit, a text', { search: 'user-3' }],
  ['audit, a text and a class', { search: 'user-3', class: 'auth' }],
]

/** Audit entries and secrets: an organization with many against one with few, beside twenty others. */
export async function measureLists(database: Database): Promise<void> {
  const given = createGiven(database)
  const newOrganization = async () => (await given.organization()).id
  const [small, large] = [await newOrganization(), await newOrganization()]
  const beside = await Promise.all(Array.from({ length: others }, newOrganization))
  await fillSecrets(database, small, secrets.few)
  await fillSecrets(database, large, secrets.many)
  for (const each of beside) await fillSecrets(database, each, 100)
  await database.ownerPool.query('vacuum analyze secrets')
  for (const [name, page] of [
    ['first', () => 1],
    ['last', (count: number) => count / pageSize],
  ] as const) {
    const read = (id: number, count: number) => () =>
      database.readTenant(id, (db) =>
        listSecrets(db, id, { page: page(count), limit: pageSize, sort: 'name' }),
      )
    await compareGrowth(
      `secrets, ${name} page, ${secrets.many.toLocaleString('en')} against ${secrets.few.toLocaleString('en')}`,
      { small: read(small, secrets.few), large: read(large, secrets.many) },
      cause,
    )
  }

  await fillAudit(database, [
    [small, entries.few],
    [large, entries.many],
    ...beside.map((id) => [id, 5_000] as const),
  ])
  for (const [name, filter] of searches) {
    const read = (id: number) => () =>
      database.readTenant(id, (db) =>
        Promise.all([
          listEntries(db, id, filter, { limit: pageSize + 1 }),
          countEntries(db, id, filter, exact),
        ]),
      )
    await compareGrowth(
      `${name}, ${entries.many.toLocaleString('en')} entries against ${entries.few.toLocaleString('en')}`,
      { small: read(small), large: read(large) },
      cause,
    )
  }
}

async function fillSecrets(database: Database, id: number, count: number): Promise<void> {
  await database.ownerPool.query(
    `insert into secrets (id, organization_id, name, type, facts, current_version, last_version, value_hash, max_versions)
     select gen_random_uuid(), $1, 'secret-' || lpad(n::text, 6, '0'), 'opaque', '{}', 1, 1, n::text, 10
     from generate_series(1, $2::int) n`,
    [id, count],
  )
}

/** Written past the triggers, which would take minutes: 500 people, one of whom did a third, half of it logins. */
async function fillAudit(database: Database, of: readonly (readonly [id: number, count: number])[]) {
  const { ownerPool } = database
  await ownerPool.query('alter table audit_entries disable trigger user')
  for (const [id, count] of of) {
    await ownerPool.query(
      `insert into audit_entries (organization_id, seq, id, at, actor_type, actor_id, actor_display, via, action, class,
         target_type, target_id, target_name, outcome, ip, request_id)
       select $1, 1000000 + n, gen_random_uuid(), now() - ($2 - n) * interval '30 seconds', 'user',
         p.id::text, 'user-' || p.id, 'console',
         case when n % 2 = 0 then 'session.begin' else 'kubernetes.patch' end,
         case when n % 2 = 0 then 'auth' else 'update' end, 'secret', (n % 5000)::text, 'password-' || n % 5000,
         'success', '10.0.' || n % 7 || '.' || n % 200, 'req-' || n
       from generate_series(1, $2::int) n
       cross join lateral (select case when n % 3 = 0 then 7 else (n / 3) % 500 end as id) p`,
      [id, count],
    )
    await ownerPool.query(
      `insert into audit_terms select distinct organization_id, t.field, t.value, t.id from audit_entries e
       cross join lateral (values ('actor', actor_display, actor_id), ('action', action, ''), ('target', target_name, ''),
         ('ip', ip, '')) t(field, value, id) where organization_id = $1 on conflict do nothing`,
      [id],
    )
  }
  await ownerPool.query('alter table audit_entries enable trigger user')
  await ownerPool.query('vacuum analyze audit_entries, audit_terms')
}
