import type { ParsedInput } from '@bey/contract'

import { act, type Who } from '../../platform/act.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { ClusterEvents } from './cluster-events.ts'
import { clusterTarget } from './cluster-runs.ts'
import { existing } from './existing-cluster.ts'
import { asNameTaken } from './name-taken.ts'
import { presentCluster } from './present.ts'
import { findCluster, lockCluster, updateCluster } from './store.ts'

type ClusterChange = ParsedInput<'clusters.update'>['body']

/**
 * Changes what a cluster is called here, its description or its labels. Throws AppError `not_found`, `conflict` for a
 * deleted cluster, `name_taken`.
 */
export function createClusterChange({
  database,
  events,
}: {
  database: Pick<Database, 'withTenant'>
  events: Pick<ClusterEvents, 'listChanged'>
}) {
  return async (organizationId: number, id: number, change: ClusterChange, who: Who) => {
    try {
      return await database.withTenant(organizationId, async (db) => {
        const before = existing(await lockCluster(db, organizationId, id))
        if (before.deletedAt !== null) {
          throw new AppError(
            'conflict',
            `The cluster "${before.title}" is deleted; it keeps what it was called.`,
          )
        }
        const { title = before.title, description = before.description, labels = before.labels } = change
        await updateCluster(db, id, { title, description, labels })
        await events.listChanged(db, organizationId)
        const diff = {
          ...(title === before.title ? {} : { title: { from: before.title, to: title } }),
          ...(description === before.description
            ? {}
            : { description: { from: before.description, to: description } }),
          ...(isSame(labels, before.labels) ? {} : { labels: { from: before.labels, to: labels } }),
        }
        const cluster = { id, organizationId, title }
        await act(db, who, {
          action: 'cluster.update',
          class: 'update',
          diff,
          target: clusterTarget(cluster),
        })
        const after = await findCluster(db, organizationId, id)
        if (after === undefined) throw new Error('The cluster that was changed is gone')
        return presentCluster(after)
      })
    } catch (error) {
      throw asNameTaken(error, change.title ?? '')
    }
  }
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}
