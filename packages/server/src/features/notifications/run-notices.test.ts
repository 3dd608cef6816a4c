import { expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { actAs } from '../../platform/db/acting-user.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven, type GivenUser } from '../../testing/given.ts'
import { rowsRead } from '../../testing/rows-read.ts'
import type { RunMove } from '../workflows/definition/definition.ts'
import type { AnyPublishedEvent } from '../../platform/live/publish.ts'
import { createNotify } from './rules/notify.ts'
import { runNotices } from './run-notices.ts'
import { createNotifications } from './service.ts'
import { listNotifications } from './store.ts'

const database = await testDatabase()
const given = createGiven(database)
const published: AnyPublishedEvent[] = []
const publish = async (_db: unknown, events: readonly AnyPublishedEvent[]) => void published.push(...events)
const tell = runNotices(createNotify({ publish, clock: realClock }))
const service = createNotifications({ database, publish, clock: realClock })

const listOf = (user: GivenUser) =>
  service.list({ organizationId: user.organizationId, userId: user.id }, { limit: 30, show: 'all' })

/** A run on a cluster, that `user` started, as it ends. */
async function ended(user: GivenUser, values: Partial<RunMove> & { cancelRequestedBy?: number } = {}) {
  const { organizationId } = user
  const cluster = await given.cluster({ organizationId })
  const workflow = await given.workflow({ organizationId, name: `Provision ${cluster.id}` })
  const { cancelRequestedBy, ...move } = values
  const status = move.status ?? 'completed'
  const run = await given.run({
    organizationId,
    workflowId: workflow.id,
    status,
    subjectType: 'cluster',
    subjectId: String(cluster.id),
    createdBy: user.id,
    ...(cancelRequestedBy === undefined ? {} : { cancelRequestedBy }),
  })
  let clustersRead = 0
  await database.withTenant(organizationId, async (db) => {
    clustersRead = await rowsRead(db, 'clusters', () =>
      tell(db, {
        run: {
          id: run.id,
          organizationId,
          workflowId: workflow.id,
          workflowKey: 'cluster.provision',
          subject: { type: 'cluster', id: String(cluster.id) },
          input: {},
          createdBy: user.id,
          queuedAt: run.queuedAt,
        },
        stepKey: null,
        stepName: null,
        progressPercent: 100,
        error: null,
        cancelledBy: null,
        ...move,
        status,
      }),
    )
  })
  return { cluster, workflow, run, clustersRead }
}

test('who started a run is notified that it completed, with the way to it and to its cluster', async () => {
  const user = await given.user()
  const colleague = await given.user({ organizationId: user.organizationId })
  const { cluster, workflow, run } = await ended(user)
  expect((await listOf(user)).notifications).toMatchObject([
    {
      kind: 'run',
      level: 'success',
      title: `Provision ${cluster.id} completed`,
      detail: null,
      href: `/workflows/${workflow.id}/runs/${run.id}`,
      subject: { type: 'cluster', id: String(cluster.id), name: cluster.title, isGone: false },
      readAt: null,
    },
  ])
  expect((await listOf(colleague)).notifications).toEqual([])
  expect(published.at(-1)).toMatchObject({ type: 'NOTIFICATIONS_UPDATE', data: { userId: user.id } })
})

test('a failure says why, without secrets; moves on the way say nothing', async () => {
  const user = await given.user()
  await ended(user, { status: 'running' })
  await ended(user, { status: 'failed', error: `No machine for postgres://bey:hunter2@db/bey` })
  const { notifications } = await listOf(user)
  expect(notifications).toHaveLength(1)
  expect(notifications[0]).toMatchObject({
    level: 'error',
    title: expect.stringMatching(/ failed$/) as string,
  })
  expect(notifications[0]?.detail).toContain('No machine')
  expect(notifications[0]?.detail).not.toContain('hunter2')
})

test('a run that somebody else cancelled is notified, one’s own cancel is not', async () => {
  const user = await given.user()
  const colleague = await given.user({ organizationId: user.organizationId, name: 'Grace' })
  await ended(user, { status: 'cancelled', cancelledBy: 'Ada', cancelRequestedBy: user.id })
  expect((await listOf(user)).notifications).toEqual([])
  await ended(user, { status: 'cancelled', cancelledBy: 'Grace', cancelRequestedBy: colleague.id })
  expect((await listOf(user)).notifications).toMatchObject([{ level: 'info', detail: 'Cancelled by Grace.' }])
})

test('a run ends all the same when its starter has left the organization', async () => {
  const user = await given.user()
  await database.asSystem('test', (db) => db.execute(`delete from memberships where user_id = ${user.id}`))
  await expect(ended(user)).resolves.toBeDefined()
})

test('a subject that was deleted since is marked as gone', async () => {
  const user = await given.user()
  const { cluster } = await ended(user)
  await database.withTenant(user.organizationId, (db) =>
    db.execute(`update clusters set deleted_at = now() where id = ${cluster.id}`),
  )
  expect((await listOf(user)).notifications[0]?.subject).toMatchObject({ isGone: true })
})

test('telling of a run and listing notifications read its cluster and no other', async () => {
  const user = await given.user()
  await given.clusterCrowd(user.organizationId, 3_000)
  const { cluster, clustersRead } = await ended(user)
  expect(clustersRead).toBeGreaterThan(0)
  expect(clustersRead).toBeLessThan(20)
  const read = await database.withTenant(user.organizationId, async (db) => {
    await actAs(db, user.id)
    const of = { organizationId: user.organizationId, userId: user.id }
    return rowsRead(db, 'clusters', async () => {
      const rows = await listNotifications(db, of, { show: 'all', limit: 30 }, undefined)
      expect(rows).toMatchObject([{ subjectId: String(cluster.id), isSubjectGone: false }])
    })
  })
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(20)
})
