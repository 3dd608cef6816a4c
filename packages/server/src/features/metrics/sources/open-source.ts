import { metricSourceLimits as limits, type MetricSourceTarget } from '@bey/contract'

import { ClusterFailure, openCluster } from '../../../platform/clusters/open-cluster.ts'
import { AppError } from '../../../platform/errors.ts'
import {
  type AskPrometheus,
  parametersText,
  type PrometheusClient,
  prometheusClient,
} from '../../../platform/metrics/prometheus-api/client.ts'
import { httpAsk } from '../../../platform/metrics/prometheus-api/http-ask.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { ClusterDoor } from '../../kubernetes/connection/ports.ts'
import type { Credentials } from '../../secrets/credentials.ts'

export type SourceParts = {
  outbound: Outbound
  credentials: Pick<Credentials, 'read'>
  clusters: Pick<ClusterDoor, 'connect' | 'send'>
}

/**
 * The client of a store. Its secret is read now, its cluster is reached when it is asked: AppError `source_unreachable`
 * where one of them is gone.
 */
export async function openSource(
  parts: SourceParts,
  organizationId: number,
  target: MetricSourceTarget,
): Promise<PrometheusClient> {
  if (target.kind === 'cluster') {
    const { namespace, service } = target
    return prometheusClient(`${namespace}/${service}`, clusterAsk(parts, organizationId, target))
  }
  const { url, caPem } = target
  const ask = httpAsk(parts.outbound, {
    url,
    authorization: await authorizationOf(parts, organizationId, target.auth),
    caPem,
    timeoutMs: limits.timeoutMs,
    maxBytes: limits.maxResponseBytes,
  })
  return prometheusClient(new URL(url).host, ask)
}

async function authorizationOf(
  { credentials }: SourceParts,
  organizationId: number,
  auth: Extract<MetricSourceTarget, { kind: 'url' }>['auth'],
): Promise<string | undefined> {
  if (auth.kind === 'none') return undefined
  try {
    const { password } = await credentials.read(organizationId, auth.secretId)
    if (auth.kind === 'basic')
      return `Basic ${Buffer.from(`${auth.username}:${password}`).toString('base64')}`
    return `Bearer ${password.trim()}`
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError('source_unreachable', `${error.message} Choose another secret for the data source.`, {
      cause: error,
    })
  }
}

/**
 * Asks a service of a cluster through its API server, in Bey's own name:
 * https://kubernetes.io/docs/tasks/access-application-cluster/access-cluster-services/#manually-constructing-apiserver-proxy-urls
 */
function clusterAsk(
  { clusters }: SourceParts,
  organizationId: number,
  { clusterId, namespace, service, port, isTls }: Extract<MetricSourceTarget, { kind: 'cluster' }>,
): AskPrometheus {
  const name = `${isTls ? 'https:' : ''}${service}:${port}`
  const base = `/api/v1/namespaces/${namespace}/services/${name}/proxy`
  return async ({ path, parameters }) => {
    const text = parametersText(parameters)
    try {
      const send = await openCluster(clusters, organizationId, clusterId)
      const { status, body } = await send({
        method: 'GET',
        path: `${base}${path}${text === '' ? '' : `?${text}`}`,
      })
      return { status, text: JSON.stringify(body) }
    } catch (error) {
      if (!(error instanceof ClusterFailure) && !(error instanceof AppError)) throw error
      throw new AppError('source_unreachable', error.message, { cause: error })
    }
  }
}
