import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { testDatabaseUrl } from '../../testing/database.ts'
import { createLog } from '../log.ts'
import {
  currentOwnerXid,
  DBOSExecutor,
  dbRetryConfig,
  tables,
  testedVersion,
  wfQueueRunner,
} from './dbos-internals.ts'
import { engineSchema } from './dbos.ts'
import { migrateEngineSchema } from './engine-schema.ts'

const url = await testDatabaseUrl()
const pool = new pg.Pool({ connectionString: url, max: 1 })
beforeAll(() => migrateEngineSchema(url, createLog({ level: 'fatal' })))
afterAll(() => pool.end())

test('the version that is installed is the one whose internals were read', () => {
  const entry = createRequire(import.meta.url).resolve('@dbos-inc/dbos-sdk')
  const manifest = entry.slice(0, entry.lastIndexOf('/dbos-sdk/')) + '/dbos-sdk/package.json'
  expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ version: testedVersion })
})

test('the tables have the columns that the functions of Bey name, and what else they have needs no value', async () => {
  const { rows } = await pool.query<{ table: string; column: string; isNeeded: boolean }>(
    `select table_name as table, column_name as column, is_nullable = 'NO' and column_default is null as "isNeeded"
     from information_schema.columns where table_schema = $1`,
    [engineSchema],
  )
  for (const [table, columns] of Object.entries(tables)) {
    const found = rows.filter((row) => row.table === table)
    expect(found.map(({ column }) => column)).toEqual(expect.arrayContaining([...columns]))
  }
  const unnamed = rows.filter(
    ({ table, column, isNeeded }) =>
      table === 'operation_outputs' && isNeeded && !tables.operation_outputs.some((each) => each === column),
  )
  expect(unnamed).toEqual([])
})

test('a position of a run holds one event: the second one changes nothing', async () => {
  const { rows } = await pool.query<{ columns: string[] }>(
    `select array_agg(a.attname::text order by a.attnum) as columns
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = $1::regclass and i.indisprimary`,
    [`${engineSchema}.operation_outputs`],
  )
  expect(rows[0]?.columns).toEqual(['workflow_uuid', 'function_id'])
})

test('an event is recorded by the execution that owns the run alone, and while it is under way', async () => {
  await pool.query(
    `insert into ${engineSchema}.workflow_status (workflow_uuid, status, owner_xid) values ('a-run', 'PENDING', 'token')`,
  )
  const record = (owner: string, position: number, event: object) =>
    pool.query('select record_run_event($1, $2, $3, $4, $5, $6) as event', [
      'a-run',
      owner,
      position,
      'step',
      JSON.stringify(event),
      'bey',
    ])
  expect((await record('token', 0, { key: 'one' })).rows).toEqual([{ event: { key: 'one' } }])
  expect((await record('token', 0, { key: 'other' })).rows).toEqual([{ event: { key: 'one' } }])
  await expect(record('stranger', 1, { key: 'two' })).rejects.toMatchObject({ code: 'BEY01' })
  await pool.query(
    `update ${engineSchema}.workflow_status set status = 'SUCCESS' where workflow_uuid = 'a-run'`,
  )
  await expect(record('token', 1, { key: 'two' })).rejects.toMatchObject({ code: 'BEY01' })
})

test('what is tuned is read by DBOS under these names', () => {
  const queues = String(wfQueueRunner.constructor)
  for (const name of ['reconcileIntervalMs', 'transitionIntervalMs']) expect(queues).toContain(`.${name}`)
  // A name that DBOS does not know would stand beside its own.
  expect(Object.keys(dbRetryConfig).toSorted()).toEqual(['initialBackoffSec', 'maxBackoffSec'])
})

test('the executor has what is called of it, and no token outside of an execution', () => {
  expect(DBOSExecutor.prototype).toMatchObject({
    recoverPendingWorkflows: expect.any(Function),
    deactivateEventReceivers: expect.any(Function),
  })
  expect(currentOwnerXid('a-run')).toBeUndefined()
})
