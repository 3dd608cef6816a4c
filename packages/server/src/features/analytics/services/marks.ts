import type { ServiceStrips } from '@bey/contract'
import { entityHref, entityTypes, type EntityType, objectPath } from '@bey/contract'
import type { Database } from '../../../platform/db/database.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import {
  type ActOfOthers,
  actsOfOthers,
  type ChangedObject,
  changedObjects,
  failedStatuses,
  type QueuedRun,
  type Window,
} from '../since/happened-store.ts'
import { actText } from '../since/items.ts'
import type { SinceReader } from '../since/since.ts'

type Mark = ServiceStrips['marks'][number]
type Changes = { acts: readonly ActOfOthers[]; objects: readonly ChangedObject[] }

const maxMarks = 200
/** No user has this id, so that the reader's own acts are among those of others. */
const allUsers = 0

/** What people and deployments changed in a time, as far as the reader's role may know. */
export async function readChanges(
  database: Pick<Database, 'readTenant'>,
  { role }: SinceReader,
  window: Window,
): Promise<Changes> {
  return database.readTenant(window.organizationId, async (db) => ({
    acts: mayNow(role, 'audit.read') ? await actsOfOthers(db, window, allUsers) : [],
    objects: mayNow(role, 'kubernetes.read') ? await changedObjects(db, window) : [],
  }))
}

/** Runs and changes as marks, oldest first; the newest of them. */
export function marksOf(runs: readonly QueuedRun[], { acts, objects }: Changes): Mark[] {
  const marks = [...runs.map(runMark), ...acts.map(actMark), ...objects.map(objectMark)]
  return marks.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-maxMarks)
}

function runMark({ id, workflowId, workflow, status, queuedAt, finishedAt }: QueuedRun): Mark {
  const isFailure = failedStatuses.includes(status)
  return {
    at: ((isFailure ? finishedAt : null) ?? queuedAt).toISOString(),
    kind: isFailure ? 'failure' : 'run',
    text: isFailure ? `${workflow} failed` : workflow,
    cluster: null,
    href: `/workflows/${workflowId}/runs/${id}`,
  }
}

function actMark(act: ActOfOthers): Mark {
  const type = entityTypes.find((each): each is EntityType => each === act.targetType)
  return {
    at: act.at.toISOString(),
    kind: 'change',
    text: `${act.name ?? act.actor} ${actText(act)}`,
    cluster: null,
    href:
      type === undefined || act.targetId === null ? null : (entityHref({ type, id: act.targetId }) ?? null),
  }
}

const workloads = new Set(['Deployment', 'StatefulSet', 'DaemonSet'])

function objectMark(object: ChangedObject): Mark {
  const { at, change, kind, name, cluster, clusterId } = object
  return {
    at: at.toISOString(),
    kind: workloads.has(kind) && change !== 'deleted' ? 'deploy' : 'change',
    text: `${kind} ${name} ${change} in ${cluster}`,
    cluster,
    href: change === 'deleted' ? `/kubernetes/clusters/${clusterId}/changes` : objectPath(object),
  }
}
