import type { Log } from '../../platform/log.ts'
import { whenDue } from '../../platform/db/due-work.ts'
import { publishAll } from '../../platform/live/publish.ts'
import type { NoticeHealth } from '../notifications/health-notices.ts'
import { accessOf } from './database-access.ts'
import { heldAddresses } from './addresses.ts'
import { announceHealth } from './announce-health.ts'
import { listAttachments } from './attachment-rows.ts'
import { readClaims } from './claims.ts'
import { compareWithClusters } from './compare.ts'
import { figuresOf } from './figures.ts'
import { listGroups } from './groups/group-rows.ts'
import { outdatedRules } from './groups/outdated.ts'
import { lateProblem } from './late-problem.ts'
import type { NetworkParts } from './parts.ts'
import { uncoveredPlaces } from './uncovered.ts'
import { policyKinds } from '@bey/contract/networks/rules'
import { createAccessWatch } from './access-watch.ts'
import { createPolicyWatch } from './policy-watch.ts'
import { claimDue, findNetwork, moveNetwork, type NetworkRow, updateNetwork } from './store.ts'

const roundMs = 60_000
const atOnce = 4

/**
 * Compares every network with its clusters each minute, and as soon as one of its policies changes there: which
 * policies differ from their definition, what its addresses are used for, and what collides by now.
 */
export function watchNetworks(
  parts: Omit<NetworkParts, 'workflows'> & { log: Log; noticeHealth: NoticeHealth },
) {
  const { database, clock, log } = parts
  const busy = new Map<string, Promise<void>>()
  let looking: Promise<void> | undefined
  let isStopped = false
  const watches = policyKinds.map((kind) => ({
    kind,
    watch: createPolicyWatch(parts, kind, (organizationId, networkId) =>
      quietly(lookSoon(organizationId, networkId)),
    ),
  }))

  const accessWatch = createAccessWatch(clock, (organizationId, networkId) =>
    quietly(lookSoon(organizationId, networkId)),
  )

  async function lookSoon(organizationId: number, networkId: string): Promise<void> {
    if (isStopped) return
    await database.withTenant(organizationId, (db) =>
      updateNetwork(db, organizationId, networkId, { checkAt: clock.now() }),
    )
  }

  async function claim(): Promise<void> {
    const limit = atOnce - busy.size
    if (limit <= 0 || isStopped) return
    const now = clock.now()
    const next = new Date(now.getTime() + roundMs)
    const due = await database.asSystem('look after networks', (db) => claimDue(db, now, next, limit))
    for (const { organizationId, id } of due) {
      const current = busy.get(id)
      if (current !== undefined) {
        // That look may have read before the change for which this one is due.
        quietly(current.catch(() => undefined).then(() => lookSoon(organizationId, id)))
        continue
      }
      const work = look(organizationId, id).finally(() => busy.delete(id))
      busy.set(id, work)
      quietly(work)
    }
  }

  async function look(organizationId: number, id: string): Promise<void> {
    const subject = await database.readTenant(organizationId, async (db) => {
      const row = await findNetwork(db, organizationId, id)
      if (row === undefined) return undefined
      const attached = await listAttachments(db, organizationId, [id])
      return { row, attached, groups: await listGroups(db, organizationId, id) }
    })
    if (subject === undefined || subject.row.deletedAt !== null || isStopped) {
      accessWatch.forget(id)
      return
    }
    const { row, attached, groups } = subject
    for (const { kind, watch } of watches) watch.follow(row, kind === row.policyKind ? attached : [])
    const { differing, silent, hasChanged } = await compareWithClusters(parts, row)
    const uncovered = await uncoveredPlaces(parts, { ...row, attached, groups })
    const outdated = await outdatedRules(parts, { ...row, groups })
    const wanted = accessOf({ ...row, attached })
    const unlimited = await parts.access.plan(organizationId, wanted)
    const access = await parts.access.compare(organizationId, wanted)
    accessWatch.follow(row, access)
    const { held, unread } = await heldAddresses(parts, row, attached)
    const { claims } = await readClaims(parts, organizationId)
    const collision = lateProblem(row, attached, claims)
    const unheard = [...new Set([...silent, ...unread.map(({ title }) => title)])]
    const reason = reasonOf({
      differing,
      uncovered,
      outdated,
      silent: unheard,
      collision,
      databases: unlimited.map(({ name }) => name),
      edited: access.drifts.map(({ name }) => name),
    })
    const figures = figuresOf(row, held, unread, clock.now())
    await note(row, reason, figures, hasChanged)
    await announceHealth(parts, row)
  }

  async function note(
    row: NetworkRow,
    reason: string | null,
    figures: NonNullable<NetworkRow['figures']>,
    hasChanged: boolean,
  ): Promise<void> {
    const { organizationId, id, status } = row
    await database.withTenant(organizationId, async (db) => {
      await updateNetwork(db, organizationId, id, { figures })
      const to = reason === null ? 'active' : 'degraded'
      const from = status === 'active' || status === 'degraded' ? status : undefined
      const isNews = from !== undefined && (from !== to || reason !== row.reason)
      const moved =
        isNews && (await moveNetwork(db, row, [from], to, { reason }, sinceOf(row, to, clock.now())))
      const isSeen = row.figures?.held !== figures.held || hasChanged || moved
      if (!isSeen) return
      await publishAll(db, [{ organizationId, type: 'NETWORKS_UPDATE', data: { networkId: id } }])
    })
  }

  function quietly(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      log.debug(
        { err: error },
        'Networks could not be compared with their clusters; the next round tries again',
      ),
    )
  }

  function begin(): void {
    looking ??= claim().finally(() => (looking = undefined))
    quietly(looking)
  }

  const isDue = `exists (select 1 from networks where deleted_at is null and check_at <= $1
    and status in ('active', 'degraded', 'error'))`
  const cancel = whenDue({ database, clock, log }, { isDue, begin })
  return {
    async stop() {
      isStopped = true
      cancel()
      accessWatch.stop()
      for (const { watch } of watches) watch.stop()
      await looking?.catch(() => undefined)
      await Promise.allSettled(busy.values())
    },
  }
}

/** The state lasts since it began, though its reason becomes another. */
const sinceOf = (row: NetworkRow, to: 'active' | 'degraded', now: Date) =>
  row.status === to ? row.statusSince : now

/** What of a network needs somebody, in a sentence; null where nothing does. */
function reasonOf(found: {
  differing: string[]
  uncovered: string[]
  outdated: string[]
  silent: string[]
  collision: string | undefined
  /** Databases that are reached from elsewhere than they are to be. */
  databases: string[]
  /** Databases whose `pg_hba.conf` was changed past Bey. */
  edited: string[]
}): string | null {
  const { differing, uncovered, outdated, silent, collision, databases, edited } = found
  const sentences = [
    collision,
    differing.length === 1
      ? `The policy ${differing[0]} differs from its definition in Bey.`
      : differing.length > 1
        ? `${differing.length} policies differ from their definition in Bey, among them ${differing[0]}.`
        : undefined,
    uncovered.length > 0
      ? `${uncovered.slice(0, 3).join(', ')}${uncovered.length > 3 ? ' …' : ''}: no policy is kept there yet. Apply the network again.`
      : undefined,
    databases.length > 0
      ? `The databases ${databases.slice(0, 3).join(', ')}${databases.length > 3 ? ' …' : ''} do not follow this network yet. Apply it again.`
      : undefined,
    edited.length > 0
      ? `The pg_hba.conf of ${edited.slice(0, 3).join(', ')}${edited.length > 3 ? ' …' : ''} differs from its definition in Bey.`
      : undefined,
    ...outdated.slice(0, 3),
    silent.length === 1
      ? `${silent[0]} cannot be read, so what it has of the network is not known as of now.`
      : silent.length > 1
        ? `${silent.join(', ')} cannot be read, so what they have of the network is not known as of now.`
        : undefined,
  ].filter((sentence) => sentence !== undefined)
  return sentences.length === 0 ? null : sentences.join(' ')
}
