import type { CallOutput } from '@bey/contract'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { apiKey, apiPath } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { refetchAtMost } from './refetch-later.ts'
import { useOrganizationId } from './session.ts'

type Streaming = 'CLUSTER_METRICS_UPDATE' | `METRICS_STREAMING_${'STARTED' | 'STOPPED' | 'ERROR'}`
type NodeUse = { name: string; cpuMillicores: number; memoryBytes: number }

/** Why the use of a cluster is not measured at the moment, in words; null while it is, or nobody follows it. */
type StreamState = { error: string | null }

const stateKey = (clusterId: number, organizationId: number) =>
  ['metrics-streaming', clusterId, organizationId] as const

/** The state of the stream that `useMetrics` follows. */
export function useMetricStream(clusterId: number): StreamState {
  const { data } = useQuery<StreamState>({
    queryKey: stateKey(clusterId, useOrganizationId()),
    queryFn: () => ({ error: null }),
    enabled: false,
    initialData: { error: null },
  })
  return data
}

const setState = (cache: QueryClient, clusterId: number, organizationId: number, error: string | null) =>
  void cache.setQueryData<StreamState>(stateKey(clusterId, organizationId), { error })

/** Each measurement writes what is used now, and has the curves that end now read again. */
export const metricStreamReducers: Pick<LiveReducers, Streaming> = {
  METRICS_STREAMING_STARTED: (cache, { data, organizationId }) =>
    setState(cache, data.clusterId, organizationId, null),
  METRICS_STREAMING_STOPPED: (cache, { data, organizationId }) =>
    setState(cache, data.clusterId, organizationId, null),
  METRICS_STREAMING_ERROR: (cache, { data, organizationId }) =>
    setState(cache, data.clusterId, organizationId, data.error),
  CLUSTER_METRICS_UPDATE: (cache, { data: { clusterId, nodes }, organizationId }) => {
    setState(cache, clusterId, organizationId, null)
    const params = { id: clusterId }
    cache.setQueryData<CallOutput<'kubernetes.overview'>>(
      apiKey(organizationId, 'kubernetes.overview', { params }),
      (overview) => overview && overviewWith(overview, nodes),
    )
    cache.setQueriesData<CallOutput<'kubernetes.nodes'>>(
      { queryKey: apiKey(organizationId, 'kubernetes.nodes', { params }) },
      (list) => list && nodesWith(list, nodes),
    )
    const metrics = apiPath('metrics.read', { entity: 'cluster' })
    const queries = cache.getQueryCache().findAll({ queryKey: [metrics, organizationId], type: 'active' })
    for (const query of queries) {
      const everyMs = pollingMs(query.queryKey)
      // What was read a moment ago, or is being read, has this measurement, or gets it with the next one.
      const isNew = query.state.fetchStatus === 'fetching' || Date.now() - query.state.dataUpdatedAt < everyMs
      if (!isNew && isMoving(query.queryKey, clusterId)) refetchAtMost(cache, query.queryKey, everyMs)
    }
  },
}

/** How often a curve changes so that one can see it: each sample in a short range, each minute in a longer one. */
export const curveMs = (rangeSeconds: number) => (rangeSeconds <= 7200 ? 15_000 : 60_000)

type Asked = { ids?: string; range?: number; end?: string }
const askedIn = ([, , query]: QueryKey) => (query ?? {}) as Asked

// A little less than the samples are apart, so that none is left out.
const pollingMs = (key: QueryKey) => curveMs(askedIn(key).range ?? 0) - 1_000

/** Whether a curve is of this cluster, and ends now. */
function isMoving(key: QueryKey, clusterId: number): boolean {
  const { ids = '', end } = askedIn(key)
  return end === undefined && ids.split(',').includes(String(clusterId))
}

function overviewWith(
  overview: CallOutput<'kubernetes.overview'>,
  nodes: readonly NodeUse[],
): CallOutput<'kubernetes.overview'> {
  const sum = (of: 'cpuMillicores' | 'memoryBytes') => nodes.reduce((total, node) => total + node[of], 0)
  const { capacity } = overview
  return {
    ...overview,
    capacity: {
      ...capacity,
      cpuMillicores: { ...capacity.cpuMillicores, used: sum('cpuMillicores') },
      memoryBytes: { ...capacity.memoryBytes, used: sum('memoryBytes') },
    },
  }
}

function nodesWith(
  list: CallOutput<'kubernetes.nodes'>,
  nodes: readonly NodeUse[],
): CallOutput<'kubernetes.nodes'> {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  return {
    ...list,
    nodes: list.nodes.map((row) => {
      const use = byName.get(row.name)
      return use
        ? {
            ...row,
            cpu: { ...row.cpu, used: use.cpuMillicores },
            memory: { ...row.memory, used: use.memoryBytes },
          }
        : row
    }),
  }
}
