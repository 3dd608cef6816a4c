import type { ParsedInput, ResourceInfo, Role } from '@bey/contract'
import { kubernetesPath, noNamespace } from '@bey/contract'
import { AppError } from '../../../platform/errors.ts'
import { BadAnswer } from '../connection/bad-answer.ts'
import type { ClusterSummary, Connect } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'
import { unreadable } from './discovery-cache.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'

export type ObjectAddress = Omit<ParsedInput<'kubernetes.object'>['params'], 'id'>

export type FetchedObject = Record<string, unknown> & {
  metadata?: {
    name?: string
    namespace?: string
    ownerReferences?: { apiVersion?: string; kind?: string; name?: string }[]
  }
}

const timeoutMs = 15_000

/**
 * Reads one whole object in Bey's own name. Throws AppError `not_found`, `cluster_unreachable`, and
 * `cluster_forbidden` for what Bey may not read there.
 */
export function createFetchObject({ client, connect }: { client: KubeClient; connect: Connect }) {
  return async (
    cluster: ClusterSummary,
    info: ResourceInfo,
    address: ObjectAddress,
  ): Promise<FetchedObject> => {
    const namespace = address.namespace === noNamespace ? '' : address.namespace
    if (info.isNamespaced !== (namespace !== '')) {
      const hint = info.isNamespaced ? 'belong to a namespace' : `belong to none: send ${noNamespace}`
      throw new AppError('not_found', `${info.plural} ${hint}.`)
    }
    const connection = await connect(cluster.organizationId, cluster.id)
    try {
      const path = kubernetesPath(info, namespace, address.name)
      const answer = await client.get(connection, path, AbortSignal.timeout(timeoutMs), { timeoutMs })
      const found = answer as FetchedObject | null
      if (typeof found?.metadata?.name !== 'string') throw new BadAnswer('its answer is no Kubernetes object')
      return found
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) {
        const where = namespace === '' ? '' : ` in the namespace "${namespace}"`
        throw new AppError(
          'not_found',
          `There is no ${info.kind} "${address.name}"${where} of the cluster "${cluster.title}".`,
          { cause: error },
        )
      }
      throw unreadable(cluster.title, error)
    }
  }
}

/**
 * Throws AppError `forbidden` for Secrets where the role may not read them. By name alone, as the proxy judges:
 * whatever group claims it, a kind called `secrets` is treated as one.
 */
export function requireReadable(role: Role, { plural }: Pick<ResourceInfo, 'plural'>): void {
  if (plural !== 'secrets' || mayNow(role, 'kubernetes.secrets')) return
  throw new AppError(
    'forbidden',
    `Your role ${role} may not read Kubernetes Secrets. An owner or admin can give you the role MEMBER.`,
  )
}
