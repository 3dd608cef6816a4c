import { askWebhooks, hasWebhooks } from '../admission/webhooks.ts'
import type { Cluster } from '../api/context.ts'
import { asObject } from '../api/write-options.ts'
import type { User } from '../http/authenticate.ts'
import type { JsonObject } from '../json.ts'
import { isTrue } from '../api/request.ts'
import { pods, type Pod } from '../types.ts'

const kinds: Record<string, string> = {
  exec: 'PodExecOptions',
  attach: 'PodAttachOptions',
  portforward: 'PodPortForwardOptions',
}

/** The query of a session as the API reference writes its options. */
function optionsOf(subresource: string, query: URLSearchParams): JsonObject {
  const head = { apiVersion: 'v1', kind: kinds[subresource] ?? '' }
  const ports = query.getAll('ports').flatMap((one) => one.split(',').map(Number))
  if (subresource === 'portforward') return ports.length > 0 ? { ...head, ports } : head
  const flags = ['stdin', 'stdout', 'stderr', 'tty'].flatMap((name) =>
    isTrue(query, name) ? [[name, true]] : [],
  )
  const container = query.get('container')
  const command = query.getAll('command')
  return {
    ...head,
    ...Object.fromEntries(flags),
    ...(container ? { container } : {}),
    ...(subresource === 'exec' ? { command } : {}),
  }
}

/** Asks webhooks and policies whether somebody may open a session with a pod. Throws StatusError when not. */
export async function admitConnection(
  cluster: Cluster,
  user: User,
  { metadata: { name, namespace = '' } }: Pod,
  subresource: string,
  query: URLSearchParams,
): Promise<void> {
  const kind = cluster.registry.stored(pods.key)
  const object = asObject({ ...optionsOf(subresource, query), metadata: { name, namespace } })
  const by = { user: user.name, groups: user.groups, subresource }
  const attempt = { operation: 'connect', kind, object, old: undefined, subresource } as const
  if (hasWebhooks(cluster)) await askWebhooks(cluster, attempt, by)
  cluster.resources.review('connect', kind, object, undefined, by)
}
