import { clusterQuotas, type ConnectionTest, type KubeconfigContext, titleOfContext } from '@bey/contract'

import { act, type Who } from '../../../platform/act.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import type { AddressGuard } from '../../../platform/outbound/address-guard.ts'
import type { ClusterEvents } from '../cluster-events.ts'
import { type ClusterRuns, clusterTarget } from '../cluster-runs.ts'
import { type Connections, serverKey } from '../connections.ts'
import { presentCluster } from '../present.ts'
import { countOfProvider, findCluster, insertCluster, lockOrganization } from '../store.ts'
import { findByServerKey, takenTitles } from './import-store.ts'
import { importedFacts } from './imported-facts.ts'
import { type KubeconfigEntry, readKubeconfig } from './kubeconfig.ts'
import type { Probe } from './probe/probe.ts'
import { type ChosenContext, trustedEntry, type UsableEntry } from './trusted-connection.ts'

/** More than this is another product's scale; each costs watches and memory. */
const maxImported = clusterQuotas.kubeconfig

export type ImportDeps = {
  database: Database
  connections: Connections
  runs: ClusterRuns
  events: ClusterEvents
  probe: Probe
  guard: AddressGuard
}

type ToImport = ChosenContext & { title: string }

/** Clusters that exist already and become known here. */
export function createImports({ database, connections, runs, events, probe, guard }: ImportDeps) {
  async function insert(db: Db, organizationId: number, entry: UsableEntry, title: string, who: Who) {
    const values = { title, provider: 'kubeconfig', nodeGroups: [] }
    const id = await insertCluster(db, { organizationId, ...values, createdBy: who.user.id })
    const imported = importedFacts(entry, null)
    await connections.saveImported(db, organizationId, id, {
      connection: entry.connection,
      imported,
      test: null,
    })
    const cluster = { id, organizationId, title, status: 'PENDING' as const }
    const run = await runs.start(db, cluster, 'cluster.import', 'PENDING', who)
    const { context, credential, isVerified } = imported
    const diff = { server: entry.server, context, credential, isVerified }
    await act(db, who, {
      action: 'cluster.import',
      class: 'create',
      diff,
      target: clusterTarget(cluster),
      runId: run.runId,
    })
    return id
  }

  return {
    /** What stands in a kubeconfig. Connects to nothing and keeps nothing. */
    async read(organizationId: number, text: string) {
      const kubeconfig = readKubeconfig(text)
      const taken = await database.readTenant(organizationId, (db) => takenTitles(db, organizationId))
      const contexts = kubeconfig.entries.map((entry) => {
        const suggestedTitle = titleOfContext(entry.context, taken)
        taken.push(suggestedTitle)
        return presentContext(entry, suggestedTitle)
      })
      return {
        contexts,
        currentContext: kubeconfig.currentContext ?? null,
        clusterCount: kubeconfig.clusterCount,
        userCount: kubeconfig.userCount,
        addresses: addressesText(guard),
      }
    },

    /** Connects as a context says; that it was asked for is recorded first. */
    async test(
      organizationId: number,
      { kubeconfig, ...chosen }: ChosenContext & { kubeconfig: string },
      who: Who,
    ): Promise<{ test: ConnectionTest; alreadyImported: { id: number; title: string } | null }> {
      const entry = await trustedEntry(kubeconfig, chosen, probe)
      const found = await database.withTenant(organizationId, async (db) => {
        const { server, context } = entry
        await act(db, who, { action: 'kubeconfig.test', class: 'access', diff: { server, context } })
        return findByServerKey(db, organizationId, serverKey(entry.connection))
      })
      const { namespace } = entry
      const test = await probe.test(entry.connection, namespace === undefined ? {} : { namespace })
      return { test, alreadyImported: found ?? null }
    },

    /** Makes a cluster of each context, all or none. Their runs check and read them. */
    async import(organizationId: number, kubeconfig: string, chosen: readonly ToImport[], who: Who) {
      refuseDuplicates(chosen)
      const entries = await Promise.all(
        chosen.map(async ({ title, ...each }) => ({
          title,
          entry: await trustedEntry(kubeconfig, each, probe),
        })),
      )
      try {
        return await database.withTenant(organizationId, async (db) => {
          await lockOrganization(db, organizationId)
          const count = await countOfProvider(db, organizationId, 'kubeconfig')
          if (count + entries.length > maxImported)
            throw new AppError(
              'limit_reached',
              `This organization has ${count} imported clusters and can have ${maxImported}. Disconnect some first.`,
            )
          const taken = await takenTitles(db, organizationId)
          refuseTaken(chosen, taken)
          const ids: number[] = []
          for (const { entry, title } of entries)
            ids.push(await insert(db, organizationId, entry, title, who))
          await events.listChanged(db, organizationId)
          const rows = []
          for (const id of ids) {
            const row = await findCluster(db, organizationId, id)
            if (row !== undefined) rows.push(presentCluster(row))
          }
          return keepReply(db, { clusters: rows })
        })
      } catch (error) {
        if (violatedConstraint(error) !== 'clusters_title_key') throw error
        throw new AppError(
          'name_taken',
          'A cluster with one of these titles exists already. Choose another title.',
          {
            cause: error,
          },
        )
      }
    },
  }
}

export type Imports = ReturnType<typeof createImports>

function presentContext(entry: KubeconfigEntry, suggestedTitle: string): KubeconfigContext {
  const { connection } = entry
  return {
    context: entry.context,
    cluster: entry.clusterName,
    user: entry.userName,
    namespace: entry.namespace ?? null,
    server: entry.server,
    credential: entry.credential,
    isVerified: connection?.skipsTlsVerify !== true,
    proxy: connection?.proxyUrl === undefined ? null : new URL(connection.proxyUrl).host,
    actsAs: connection?.actsAs?.user ?? null,
    problems: entry.problems,
    suggestedTitle,
  }
}

function addressesText({ policy }: AddressGuard): string {
  const never = 'Link-local and metadata addresses are never connected to.'
  switch (policy.kind) {
    case 'any':
      return `Private and loopback addresses are allowed on this installation. ${never}`
    case 'public':
      return `This installation connects to public addresses only. ${never}`
    case 'networks':
      return `This installation connects to ${policy.text} only. ${never}`
  }
}

function refuseDuplicates(chosen: readonly ToImport[]): void {
  const errors = chosen.flatMap(({ context, title }, index) => {
    const isTwice = (is: (each: ToImport) => boolean) => chosen.findIndex(is) !== index
    return [
      ...(isTwice((each) => each.context === context)
        ? [{ path: `clusters.${index}.context`, message: 'This context is chosen twice.' }]
        : []),
      ...(isTwice((each) => each.title === title)
        ? [{ path: `clusters.${index}.title`, message: 'Another of these clusters has this title.' }]
        : []),
    ]
  })
  if (errors.length > 0)
    throw new AppError('invalid_request', `Nothing was imported. ${errors[0]?.message ?? ''}`, { errors })
}

function refuseTaken(chosen: readonly ToImport[], taken: readonly string[]): void {
  const errors = chosen.flatMap(({ title }, index) =>
    taken.includes(title.toLowerCase())
      ? [{ path: `clusters.${index}.title`, message: `A cluster named "${title}" exists already.` }]
      : [],
  )
  if (errors.length > 0)
    throw new AppError(
      'name_taken',
      `Nothing was imported. ${errors[0]?.message ?? ''} Choose another title.`,
      {
        errors,
      },
    )
}
