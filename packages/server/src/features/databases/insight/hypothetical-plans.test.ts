import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import pg from 'pg'
import { expect, test } from 'vitest'

import { realClock } from '../../../platform/clock.ts'
import { temporaryDirectory } from '../../../testing/temporary-directory.ts'
import { testDatabaseUrl } from '../../../testing/database.ts'
import { checkByPlanner } from './hypothetical-plans.ts'

const url = new URL(await testDatabaseUrl())
// Only a superuser installs extensions.
url.username = 'postgres'

// As HypoPG's: known to this session alone, and no change of the database. An index of "useless" leaves the plan as it was.
const extension = `
  create function hypopg_create_index(text, out indexrelid oid, out indexname text) language plpgsql as $$ begin
    if $1 !~ '^CREATE INDEX ON ' then raise 'hypopg: unexpected %', $1; end if;
    if $1 !~ 'useless' then perform set_config('seq_page_cost', '0.001', false); end if; end $$;
  create function hypopg_reset() returns void language sql as $$ select set_config('seq_page_cost', '1', false) $$;`

const statement = { queryId: '1', text: 'select * from orders where n = $1', calls: 3, meanMs: 9, scans: [] }
const missing = (columns: string) => ({
  key: `missing-index:orders(${columns})`,
  rule: 'missing-index',
  content: {
    title: 'Index',
    detail: '',
    evidence: [{ label: 'Rows', value: '1' }],
    sql: `CREATE INDEX CONCURRENTLY ON orders (${columns});`,
    queryIds: ['1'],
  },
})
const other = { ...missing('n'), key: 'foreign-key:orders', rule: 'foreign-key' }

test('a missing index says what the planner makes of it; one that it would not use is no advice', async () => {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query('create table orders as select n from generate_series(1, 50000) n; analyze orders')
    // The owner of a database may make functions of any name: they are never called.
    await client.query(`create schema mine; set search_path = mine, public; ${extension}`)
    const found = [missing('n'), missing('useless'), other]
    const check = () => checkByPlanner(client, found, [statement], realClock)
    const last = (findings: Awaited<ReturnType<typeof check>>) =>
      findings.map(({ key, content }) => [key, content.evidence.at(-1)?.value])
    const absent = 'not asked: the extension hypopg is not in this database'
    expect(last(await check())).toEqual([
      ['missing-index:orders(n)', absent],
      ['missing-index:orders(useless)', absent],
      ['foreign-key:orders', '1'],
    ])

    const root = temporaryDirectory()
    chmodSync(root, 0o755)
    mkdirSync(join(root, 'extension'))
    writeFileSync(join(root, 'extension/hypopg.control'), "default_version = '1.4'\nschema = public\n")
    writeFileSync(join(root, 'extension/hypopg--1.4.sql'), extension)
    await client.query(`set extension_control_path = '${root}:$system'`)
    await client.query('create extension hypopg')
    expect(last(await check())).toEqual([
      ['missing-index:orders(n)', expect.stringMatching(/^cost [\d,.]+ → [\d,.]+$/)],
      ['foreign-key:orders', '1'],
    ])
    expect((await client.query('show seq_page_cost')).rows).toEqual([{ seq_page_cost: '1' }])
  } finally {
    await client.end()
  }
})
