import type { SecretDrift } from '@bey/contract'
import {
  type Cluster,
  ClusterFailure,
  type KubeAnswer,
  refusalOf,
} from '../../../platform/clusters/open-cluster.ts'
import { type KubernetesSecret, managedLabel, ownAnnotation } from './manifest.ts'

type Place = { namespace: string; name: string }

const pathOf = ({ namespace, name }: Place) => `/api/v1/namespaces/${namespace}/secrets/${name}`

/** The Secret of this name; undefined where there is none. */
export async function readSecret(cluster: Cluster, place: Place): Promise<KubernetesSecret | undefined> {
  const answer = await cluster({ method: 'GET', path: pathOf(place) })
  if (answer.status === 404) return undefined
  if (answer.status !== 200) throw refusalOf(answer, 'read the Secret')
  return secretOf(answer)
}

/**
 * Writes a Secret by server-side apply as the field manager `bey`. `live` is what was read there; its uid is sent
 * along, so that one which somebody put in its place meanwhile is not touched. Keys that others added are removed.
 */
export async function applySecret(
  cluster: Cluster,
  place: Place,
  wanted: KubernetesSecret,
  live: KubernetesSecret | undefined,
  drift: readonly SecretDrift[],
): Promise<void> {
  const isRetyped = live !== undefined && (live.type ?? 'Opaque') !== wanted.type
  // The type of a Secret cannot be changed.
  if (isRetyped) await deleteSecret(cluster, place, live)
  const existing = isRetyped ? undefined : live
  const answer = await cluster({
    method: 'PATCH',
    // Without force where nothing was there: what somebody made meanwhile is a conflict.
    path: `${pathOf(place)}?fieldManager=bey${existing ? '&force=true' : ''}`,
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      ...wanted,
      metadata: {
        ...wanted.metadata,
        namespace: place.namespace,
        ...(existing?.metadata.uid && { uid: existing.metadata.uid }),
      },
    },
  })
  if (answer.status === 404) {
    throw new ClusterFailure(
      `The namespace "${place.namespace}" does not exist in this cluster. Create it first.`,
    )
  }
  if (answer.status === 409) {
    throw new ClusterFailure('Somebody changed the Secret in the cluster at the same moment.')
  }
  if (answer.status !== 200 && answer.status !== 201) throw refusalOf(answer, 'write the Secret')
  const added = existing ? drift.filter(({ kind, path }) => kind === 'added' && path.startsWith('data.')) : []
  if (added.length === 0) return
  // Server-side apply leaves the fields of other managers.
  const data = Object.fromEntries(added.map(({ path }) => [path.slice('data.'.length), null]))
  await patchSecret(cluster, place, { data }, 'remove what was added to the Secret')
}

/** Deletes exactly the Secret that was read. */
export async function deleteSecret(cluster: Cluster, place: Place, live: KubernetesSecret): Promise<void> {
  const { uid } = live.metadata
  const answer = await cluster({
    method: 'DELETE',
    path: pathOf(place),
    body: { kind: 'DeleteOptions', apiVersion: 'v1', ...(uid && { preconditions: { uid } }) },
  })
  // Gone, or another one by now.
  if (answer.status === 404 || answer.status === 409) return
  if (answer.status >= 300) throw refusalOf(answer, 'delete the Secret')
}

/** Leaves the Secret in the cluster and takes Bey's marks off it. */
export async function releaseSecret(cluster: Cluster, place: Place): Promise<void> {
  const metadata = { annotations: { [ownAnnotation]: null }, labels: { [managedLabel]: null } }
  await patchSecret(cluster, place, { metadata }, 'release the Secret')
}

async function patchSecret(cluster: Cluster, place: Place, body: object, doing: string): Promise<void> {
  const answer = await cluster({
    method: 'PATCH',
    path: `${pathOf(place)}?fieldManager=bey`,
    contentType: 'application/merge-patch+json',
    body,
  })
  if (answer.status !== 200 && answer.status !== 404) throw refusalOf(answer, doing)
}

function secretOf({ body }: KubeAnswer): KubernetesSecret {
  // A Secret by the Kubernetes API, whose shape is its contract.
  return body as KubernetesSecret
}
