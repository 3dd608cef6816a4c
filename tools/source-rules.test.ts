import { expect, test } from 'vitest'
import { reachesAllTenants, takesAdvisoryLock, takesOfProcess } from './source-rules.ts'

test.each([
  ['database.asSystem(reason, work)', true],
  ['database.ownerPool.query(text)', true],
  ['const { ownerPool } = options', true],
  ["type Options = { database: Pick<Database, 'ownerPool'> }", true],
  ['database.withTenant(id, work)', false],
])('%s reaches all tenants: %s', (text, expected) => {
  expect(reachesAllTenants(text)).toBe(expected)
})

test.each([
  ['process.env.HOME', ['env']],
  ['process.exit(1); process.exit(2)', ['exit']],
  ['globalThis.process.argv', ['argv']],
  ["import { pid } from 'node:process'", ['pid']],
  ["import { env as environment, exit } from 'process'", ['env', 'exit']],
  ["import {\n  pid,\n  kill,\n} from 'node:process'", ['kill', 'pid']],
  ["import process from 'node:process'", ['*']],
  ["import * as process from 'node:process'", ['*']],
  ["import { claim } from '../platform/process.ts'", []],
  ['child.process.pid', []],
  ['process.nextTick(done)', []],
])('%s takes %j of the process', (text, expected) => {
  expect(takesOfProcess(text)).toEqual(expected)
})

test.each([
  ['sql`select pg_advisory_xact_lock(7239021, ${id})`', true],
  ["client.query('select PG_TRY_ADVISORY_LOCK (1)')", true],
  ["lockUntilCommit(db, 'drainStart', id)", false],
  ["locktype = 'advisory'", false],
])('%s takes an advisory lock: %s', (text, expected) => {
  expect(takesAdvisoryLock(text)).toBe(expected)
})
