import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { databasePlans, isChangeableParameter } from '@bey/contract'
import { sizeParameters } from '@bey/contract/databases/new-parameters'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'

import { createLog } from '../../platform/log.ts'
import { createEmbeddedDatabases } from './embedded.ts'

const root = await mkdtemp(join(tmpdir(), 'bey-kinds-'))
await chmod(root, 0o755)
const servers = createEmbeddedDatabases({
  root,
  machineId: 'm1',
  log: createLog({ level: 'fatal', write: () => undefined }),
  budgetBytes: 300 * 1024 ** 2,
  sandboxBytes: async () => 0,
  isDurable: false,
})
const step = { log: () => undefined, signal: new AbortController().signal }
const plan = databasePlans.small
const database = { id: 'kinds', name: 'kinds', databaseName: 'kinds', username: 'kinds', plan }
const placement = await servers.choosePlacement(database.id, null)
await servers.reserve(database, placement, step)
await servers.initialize(placement, step)
await servers.start(database, placement)
const client = new pg.Client(await servers.connection(placement, 'postgres'))
await client.connect()
afterAll(async () => {
  await client.end()
  await servers.stop(database.id, placement)
  await rm(root, { recursive: true, force: true })
})

const file = fileURLToPath(
  new URL('../../../../contract/src/databases/parameter-kinds.generated.ts', import.meta.url),
)
const head = `// What the PostgreSQL that Bey brings says of the parameters that may be changed; do not edit. Another version:
// BEY_RECORD_PARAMETERS=1 npx vitest run packages/server/src/providers/databases/parameter-kinds.test.ts

type Kind = readonly [
  name: string,
  type: string,
  unit: string | null,
  min: string | null,
  max: string | null,
  context: string,
  value: string,
  values: readonly string[],
  about: string,
]

export const parameterKinds: readonly Kind[] = [
`

// Forms and requests judge values before there is a server that could.
test('parameters of a new database are judged by what its PostgreSQL says of them', async () => {
  const { rows } = await client.query<Record<string, unknown> & { name: string }>(
    `select name, vartype as type, unit, min_val as min, max_val as max, context, coalesce(boot_val, '') as value,
       coalesce(enumvals, '{}') as values, short_desc as about
     from pg_settings where context <> 'internal' and category <> 'Developer Options' order by lower(name) collate "C"`,
  )
  const kinds = rows
    .filter(({ name }) => isChangeableParameter(name))
    .map((row) => `  ${JSON.stringify(Object.values(row))},\n`)
  const text = `${head}${kinds.join('')}]\n`
  if (process.env['BEY_RECORD_PARAMETERS'] === '1') await writeFile(file, text)
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('what follows from the size of a database is what its server has', async () => {
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from pg_settings',
  )
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  for (const { name, value } of sizeParameters(plan)) expect(values.get(name), name).toBe(value)
})
