import { canonicalNetwork, effectiveAllowList, listenAddresses } from '@bey/contract'
import type { NetworkAccess } from '@bey/contract/databases/allow-list'
import { isDeepStrictEqual } from 'node:util'

import type { Database } from '../../platform/db/database.ts'
import { openEmbedded } from './open-connection.ts'
import { placementOf, providerDatabase } from './parts.ts'
import type { DatabaseProviders } from './provider.ts'
import { type DatabaseRow, listByNetwork, lockDatabase, updateDatabase } from './store.ts'

/** How an isolated network and its databases are to be: reached from the ranges alone by the databases that are named. */
export type WantedAccess = {
  networkId: string
  network: string
  /** Ranges of the network; null where it is not isolated, or no more. */
  cidrs: readonly string[] | null
  databaseIds: readonly string[]
}

/** A database whose admitted addresses differ, or would differ, from before. */
export type AccessChange = {
  databaseId: string
  name: string
  from: string[]
  to: string[]
  /** The server listens on the machine alone: it admits the network from its next restart on. */
  listensLater: boolean
}

/** Who may connect to a database of an isolated network, where its `pg_hba.conf` was changed past Bey. */
export type AccessDrift = {
  databaseId: string
  name: string
  written: string
  /** Null where the file is gone. */
  found: string | null
}

/** `stamp`, read before the files, is another text once one of them was written since. */
export type AccessComparison = {
  drifts: AccessDrift[]
  stamp: string
  /** Null where there is no file to look at. */
  readStamp: (() => Promise<string>) | null
}

/** So much of a file that was changed is shown. */
const mostFoundText = 64 * 1024

/** Access of networks to databases that Bey runs. Other databases are not limited by a network. */
export function createNetworkAccess({
  database,
  providers: { embedded },
}: {
  database: Database
  providers: Pick<DatabaseProviders, 'embedded'>
}) {
  /** Databases that would be reached from elsewhere than now. */
  async function plan(organizationId: number, wanted: WantedAccess): Promise<AccessChange[]> {
    const rows = await database.readTenant(organizationId, (db) =>
      listByNetwork(db, organizationId, wanted.networkId, wanted.databaseIds),
    )
    return rows.flatMap((row) => changeOf(row, wanted) ?? [])
  }

  /**
   * Writes the `pg_hba.conf` of each database and has its server read it. Connections that are open stay open. A database
   * that cannot be written now is a sentence in `failures`.
   */
  async function apply(
    organizationId: number,
    wanted: WantedAccess,
    log: (line: string) => void,
  ): Promise<{ changes: AccessChange[]; failures: string[] }> {
    const rows = await database.readTenant(organizationId, (db) =>
      listByNetwork(db, organizationId, wanted.networkId, wanted.databaseIds),
    )
    const [changes, failures]: [AccessChange[], string[]] = [[], []]
    for (const row of rows) {
      const change = changeOf(row, wanted)
      // oxlint-disable-next-line no-await-in-loop -- a few databases, each a lock and a file
      const failure = await write(organizationId, row.id, wanted)
      if (failure !== undefined) {
        failures.push(failure)
        log(failure)
      } else if (change !== undefined) {
        changes.push(change)
        log(`${row.name} is reached from this machine${change.to.map((cidr) => ` and ${cidr}`).join('')}.`)
        if (change.listensLater) log(`${row.name} listens on this machine alone until its next restart.`)
      }
    }
    return { changes, failures }
  }

  /** Written while the row is locked: a change of its own list waits, and starts from what was written here. */
  function write(organizationId: number, id: string, wanted: WantedAccess): Promise<string | undefined> {
    return database.withTenant(organizationId, async (db) => {
      const row = await lockDatabase(db, organizationId, id)
      const placement = row && placementOf(row)
      if (!row || row.deletedAt !== null) return undefined
      // Its server does not exist yet: it starts with the list of the row.
      if (placement !== null && placement !== undefined) {
        if (!embedded.isHere(placement))
          return `${row.name} runs on another machine of Bey. Apply the network there.`
        const next = { ...row, networkAccess: accessFor(row, wanted) }
        try {
          await embedded.writeAllowList(providerDatabase(next), placement)
          if (row.status === 'available' || row.status === 'degraded') await reload(next)
        } catch (error) {
          return `${row.name}: who reaches it could not be changed. ${error instanceof Error ? error.message : String(error)}`
        }
      }
      await updateDatabase(db, organizationId, id, { networkAccess: accessFor(row, wanted) })
      return undefined
    })
  }

  async function reload(row: DatabaseRow): Promise<void> {
    const placement = placementOf(row)
    if (placement === null) return
    const admin = await openEmbedded(embedded, placement, row.databaseName)
    try {
      await admin.query('select pg_reload_conf()')
    } finally {
      await admin.end()
    }
  }

  /** What of `pg_hba.conf` was changed past Bey, for the databases of an isolated network on this machine. */
  async function compare(organizationId: number, wanted: WantedAccess): Promise<AccessComparison> {
    if (wanted.cidrs === null) return { drifts: [], stamp: '', readStamp: null }
    const rows = await database.readTenant(organizationId, (db) =>
      listByNetwork(db, organizationId, wanted.networkId, wanted.databaseIds),
    )
    const here = rows.flatMap((row) => {
      const placement = placementOf(row)
      const isLimited = row.networkAccess?.networkId === wanted.networkId && row.status !== 'deleting'
      return placement !== null && isLimited && embedded.isHere(placement) ? [{ row, placement }] : []
    })
    const readStamp = async () => {
      const stamps = here.map(({ placement }) => embedded.allowListStamp(placement))
      return (await Promise.all(stamps)).join()
    }
    const stamp = await readStamp()
    const compared = await Promise.all(
      here.map(async ({ row, placement }): Promise<AccessDrift> => {
        const file = await embedded.compareAllowList(providerDatabase(row), placement)
        return { databaseId: row.id, name: row.name, ...file }
      }),
    )
    return {
      drifts: compared
        .filter(({ written, found }) => written !== found)
        .map((each) => ({ ...each, found: each.found?.slice(0, mostFoundText) ?? null })),
      stamp,
      readStamp: here.length === 0 ? null : readStamp,
    }
  }

  return { plan, apply, compare }
}

export type NetworkAccessPort = ReturnType<typeof createNetworkAccess>

function accessFor({ id }: Pick<DatabaseRow, 'id'>, wanted: WantedAccess): NetworkAccess | null {
  const { networkId, network, cidrs, databaseIds } = wanted
  if (cidrs === null || !databaseIds.includes(id)) return null
  return { networkId, network, cidrs: cidrs.map(canonicalNetwork) }
}

function changeOf(row: DatabaseRow, wanted: WantedAccess): AccessChange | undefined {
  const before = effectiveAllowList(row)
  const after = effectiveAllowList({ ...row, networkAccess: accessFor(row, wanted) })
  const [from, to] = [before, after].map((list) => list.map(({ cidr }) => cidr)) as [string[], string[]]
  if (isDeepStrictEqual(from, to)) return undefined
  const listensLater = listenAddresses(before) === '127.0.0.1' && listenAddresses(after) !== '127.0.0.1'
  return { databaseId: row.id, name: row.name, from, to, listensLater }
}
