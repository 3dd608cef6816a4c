import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'

const database = await testDatabase()
const given = createGiven(database)

test('the migration gives kubernetes.delete to keys that could delete until then, once, and to no others', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const writer = await given.apiKey(owner, { permissions: ['clusters.read', 'kubernetes.write'] })
  const reader = await given.apiKey(owner, { permissions: ['kubernetes.read'] })
  const file = new URL('../../../migrations/0037_kubernetes-delete.sql', import.meta.url)
  const statement = (await readFile(file, 'utf8')).split('--> statement-breakpoint').at(-1) ?? ''
  await database.ownerPool.query(statement)
  await database.ownerPool.query(statement)
  const { rows } = await database.ownerPool.query<{ id: string; permissions: string[] }>(
    'select id, permissions from api_keys where id = any($1)',
    [[writer.id, reader.id]],
  )
  const permissionsOf = (id: string) => rows.find((row) => row.id === id)?.permissions
  expect(permissionsOf(writer.id)).toEqual(['clusters.read', 'kubernetes.write', 'kubernetes.delete'])
  expect(permissionsOf(reader.id)).toEqual(['kubernetes.read'])
})
