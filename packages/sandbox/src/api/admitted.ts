import { askWebhooks, hasWebhooks } from '../admission/webhooks.ts'
import { clone, objectAt, type JsonObject } from '../json.ts'
import type { Kind } from '../registry/kind.ts'
import type { KubeObject } from '../types.ts'
import type { Cluster } from './context.ts'
import type { ApiRequest } from './request.ts'
import type { WriteOptions } from './resources.ts'
import { asObject, writeOptions } from './write-options.ts'

/** Nothing is stored yet, and what there is to warn of is said once it is. */
function planning(options: WriteOptions): WriteOptions {
  return { ...options, dryRun: true, warn: () => undefined }
}

/** Creates an object for a client, as the webhooks would have it. */
export async function createAdmitted(
  cluster: Cluster,
  kind: Kind,
  namespace: string | undefined,
  body: JsonObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const { resources } = cluster
  if (!hasWebhooks(cluster)) return resources.create(kind, namespace, body, options)
  const planned = resources.create(kind, namespace, body, planning(options))
  const attempt = {
    operation: 'create',
    kind,
    object: planned,
    old: undefined,
    subresource: undefined,
  } as const
  return resources.create(kind, namespace, await askWebhooks(cluster, attempt, options), options)
}

/** Changes an object for a client, as the webhooks would have it; one that was changed meanwhile is refused. */
export function updateAdmitted(
  call: ApiRequest,
  change: (current: KubeObject) => KubeObject,
): KubeObject | Promise<KubeObject> {
  const { cluster, kind, namespace, name } = call
  const subresource = call.admittedAs ?? call.subresource
  const { resources } = cluster
  const options = writeOptions(call)
  if (!hasWebhooks(cluster)) return resources.update(kind, namespace, name, change, options)
  const old = resources.get(kind, namespace, name)
  const object = resources.update(kind, namespace, name, change, planning(options))
  if (object === old) return old
  return askWebhooks(cluster, { operation: 'update', kind, object, old, subresource }, options).then(
    (admitted) => {
      // What was planned carries the version that it was planned on.
      return resources.update(kind, namespace, name, () => clone(admitted), options)
    },
  )
}

/** Asks the webhooks whether a client may delete this object. */
export async function admitDeletion(call: ApiRequest, object: KubeObject, by: WriteOptions): Promise<void> {
  const { cluster, kind } = call
  if (!hasWebhooks(cluster)) return
  await askWebhooks(cluster, { operation: 'delete', kind, object, old: object, subresource: undefined }, by)
}

/**
 * Asks webhooks and policies about what is written below an object, such as a Binding of a pod. What they would change
 * of it is left as it is.
 */
export async function admitBelow(call: ApiRequest, body: JsonObject): Promise<void> {
  const { cluster, kind, namespace, name, subresource } = call
  const metadata = { ...objectAt(body, 'metadata'), name, ...(namespace ? { namespace } : {}) }
  const object = asObject({ ...body, metadata })
  const by = writeOptions(call)
  if (hasWebhooks(cluster))
    await askWebhooks(cluster, { operation: 'create', kind, object, old: undefined, subresource }, by)
  cluster.resources.review('create', kind, object, undefined, by)
}
