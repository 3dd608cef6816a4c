import type { Demo, Organization } from '@bey/contract'
import type { Person } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { type DemoCluster, type DemoPart, type DemoScene, repeatableRandom } from '../../platform/demo.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { lockUser } from './lock-user.ts'
import { makePeople } from './people.ts'
import {
  causeChangedAt,
  demoClusterRows,
  demoOf,
  findDemo,
  insertDemoOrganization,
  noteLook,
  setIncidentCluster,
} from './store.ts'

const organizationName = 'Ostwind, demo'
/** Demos remove themselves after this time. */
const livesMs = 14 * 86_400_000
const incidentAgeMs = 8 * 60_000

/** What the feature of clusters does for a demo. */
export type DemoClusters = {
  refusal(): Promise<string | undefined>
  make(
    db: Db,
    scene: Omit<DemoScene, 'clusters'>,
  ): Promise<{ made: DemoCluster[]; takeBack: () => Promise<void> }>
  /** Starts them where they do not run. */
  start(organizationId: number, clusterIds: readonly number[]): void
}

/** Makes a demo of a person, in the transaction of the caller. */
type MakeDemo = (owner: Person) => Promise<Organization>

export function createDemos(deps: {
  database: Database
  clock: Clock
  clusters: DemoClusters
  addDefaults: (db: Db, organizationId: number) => Promise<void>
  parts: () => readonly DemoPart[]
}) {
  const { database, clock, clusters, addDefaults, parts } = deps

  /**
   * Runs `work` in a transaction, which makes a demo by `make`; the clusters start once it is committed. Throws AppError
   * `limit_reached` for an owner who has a demo and for a machine without room.
   */
  async function making<T>(work: (db: Db, make: MakeDemo) => Promise<T>): Promise<T> {
    const refusal = await clusters.refusal()
    const made: { organizationId: number; clusterIds: number[]; takeBack: () => Promise<void> }[] = []
    try {
      const result = await database.asSystem('make a demo', (db) =>
        work(db, async (owner) => {
          if (refusal !== undefined) throw new AppError('limit_reached', refusal)
          const { organization, placed } = await makeDemo(db, owner)
          made.push({
            organizationId: organization.id,
            clusterIds: placed.made.map(({ id }) => id),
            takeBack: placed.takeBack,
          })
          return organization
        }),
      )
      for (const { organizationId, clusterIds } of made) clusters.start(organizationId, clusterIds)
      return result
    } catch (error) {
      for (const { takeBack } of made) await takeBack()
      throw error
    }
  }

  async function makeDemo(db: Db, owner: Person) {
    const now = clock.now()
    await lockUser(db, owner.id)
    const existing = await demoOf(db, owner.id)
    if (existing)
      throw new AppError(
        'limit_reached',
        `You have a demo already: ${existing.name}. Switch to it, or remove it before you make another one.`,
      )
    const endsAt = new Date(now.getTime() + livesMs)
    const organizationId = await insertDemoOrganization(db, {
      name: organizationName,
      ownerId: owner.id,
      now,
      endsAt,
    })
    await addDefaults(db, organizationId)
    const bare = {
      organizationId,
      owner,
      people: await makePeople(db, organizationId, owner.id, now),
      now,
      incidentAt: new Date(now.getTime() - incidentAgeMs),
      random: repeatableRandom(31),
    }
    const placed = await clusters.make(db, bare)
    try {
      const scene = { ...bare, clusters: placed.made }
      const incident = placed.made.find(({ mood }) => mood === 'incident')
      if (incident) await setIncidentCluster(db, organizationId, incident.id)
      for (const add of parts()) await add(db, scene)
    } catch (error) {
      await placed.takeBack()
      throw error
    }
    const organization = {
      id: organizationId,
      name: organizationName,
      role: 'OWNER' as const,
      demoEndsAt: endsAt.toISOString(),
    }
    return { organization, placed }
  }

  return {
    making,
    /** Makes a demo of the caller's own. Throws AppError `limit_reached` for a second one and for a machine without room. */
    create: (caller: Caller): Promise<{ organization: Organization }> =>
      making(async (db, make) => keepReply(db, { organization: await make(caller.user) })),

    /** Looks at a demo, which wakes it. Throws AppError `not_found` for an organization that is none. */
    async look(organizationId: number): Promise<Demo> {
      const { demo, rows, slept, changedAt } = await database.withTenant(organizationId, async (db) => {
        const found = await findDemo(db, organizationId)
        const clusterId = found?.incidentClusterId ?? undefined
        return {
          demo: found,
          changedAt: clusterId === undefined ? null : await causeChangedAt(db, organizationId, clusterId),
          rows: await demoClusterRows(db, organizationId),
          slept: await noteLook(db, organizationId, clock.now()),
        }
      })
      if (demo === undefined) throw notADemo()
      if (slept)
        clusters.start(
          organizationId,
          rows.map(({ id }) => id),
        )
      return {
        endsAt: demo.endsAt.toISOString(),
        clusters: rows.map(({ id, title, isObserved }) => ({
          id,
          title,
          isReady: isObserved,
        })),
        incidentClusterId: demo.incidentClusterId,
        causeChangedAt: changedAt,
      }
    },
  }
}

export function notADemo(): AppError {
  return new AppError(
    'not_found',
    'This organization is not a demo. Make a demo on the dashboard of an empty organization.',
  )
}
