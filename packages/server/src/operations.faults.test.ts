import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { and, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { auditEntries } from './tables/audit-entries.ts'
import { testOperations, whoIs } from './testing/operations.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'bey-faults-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))
const { database, given, operations, settled, create } = await testOperations({ sandboxesIn: dataDir })

async function trailOf(organizationId: number) {
  const rows = await database.asSystem('test', (db) =>
    db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.organizationId, organizationId), eq(auditEntries.class, 'execute'))),
  )
  return rows.filter((row) => row.action.startsWith('fault.'))
}

test('what is broken in a sandbox is listed, audited before and after, and whole again once it has ended', async () => {
  const user = await given.user()
  const { organizationId } = user
  const created = await create(user, 'broken')
  await settled(user, created.id, 'RUNNING')
  const { sandboxes } = operations
  const active = async () =>
    (await sandboxes.faults(organizationId, created.id)).faults.filter(({ since }) => since !== null)
  expect(await active()).toEqual([])

  const { faults } = await sandboxes.change(organizationId, created.id, 'crash-loop', 'apply', whoIs(user))
  expect(faults.find(({ id }) => id === 'crash-loop')?.since).not.toBeNull()
  expect(await active()).toMatchObject([{ id: 'crash-loop', title: 'Crash loop' }])
  await sandboxes.change(organizationId, created.id, 'crash-loop', 'end', whoIs(user))
  expect(await active()).toEqual([])

  const trail = await trailOf(organizationId)
  expect(trail.map(({ action, outcome }) => `${action} ${outcome}`).toSorted()).toEqual([
    'fault.apply success',
    'fault.apply unknown',
    'fault.end success',
    'fault.end unknown',
  ])
  const intent = trail.find(({ action, outcome }) => action === 'fault.apply' && outcome === 'unknown')
  expect(trail.filter(({ intentId }) => intentId === intent?.id)).toHaveLength(1)

  await expect(
    sandboxes.change(organizationId, created.id, 'earthquake', 'apply', whoIs(user)),
  ).rejects.toMatchObject({ code: 'not_found' })
  const stranger = await given.user()
  await expect(sandboxes.faults(stranger.organizationId, created.id)).rejects.toMatchObject({
    code: 'not_found',
  })

  const { machine, sandboxes: listed } = await sandboxes.list(organizationId)
  expect(machine).toMatchObject({ sandboxes: 1, refusal: null })
  expect(machine.usedMemoryBytes).toBeGreaterThan(20 * 1024 * 1024)
  expect(listed).toMatchObject([{ clusterId: created.id, title: 'broken', status: 'RUNNING' }])
  expect(listed[0]?.usage?.objects).toBeGreaterThan(100)
  expect(listed[0]?.usage?.maxObjects).toBe(machine.maxObjects)
  // What others have is part of the sum, and nothing else is reported of it.
  expect((await sandboxes.list(stranger.organizationId)).sandboxes).toEqual([])

  // Where the trail cannot be written nothing is broken.
  await database.ownerPool.query(
    `create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'no entry'; end $$;
     create trigger refuse_entry before insert on audit_entries for each row
     when (new.action = 'fault.apply') execute function refuse_entry()`,
  )
  await expect(
    sandboxes.change(organizationId, created.id, 'slow-api', 'apply', whoIs(user)),
  ).rejects.toThrow()
  expect(await active()).toEqual([])
})
