import { healthStates } from '@bey/contract'
import { workloadKinds } from '@bey/contract/base/health'
import { z } from 'zod'
import {
  clusterField,
  findCluster,
  findObject,
  namespaceField,
  objectFields,
  objectParams,
} from '../targets.ts'
import { readTool } from '../tool.ts'
import { describeContainers } from './containers.ts'

const nullableText = z.string().nullable()
const limit = z.number().int().min(1).max(200)

export const listClusters = readTool({
  name: 'list_clusters',
  title: 'List clusters',
  description: 'Clusters of the organization with status, health and version.',
  needs: ['clusters.read'],
  input: { limit: limit.default(50) },
  output: {
    clusters: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        status: z.string(),
        health: z.string(),
        reason: nullableText,
        version: z.string(),
        nodes: z.number(),
        error: nullableText,
      }),
    ),
  },
  async run({ call }, query) {
    const { clusters, total } = await call('clusters.list', { query })
    return {
      summary: `${total} clusters.`,
      clusters: clusters.map(({ id, title, status, health, version, metadata, error }) => ({
        id,
        name: title,
        status,
        health: health.state,
        reason: health.reason,
        version,
        nodes: metadata.nodeCount,
        error,
      })),
      leftOut: beyond('clusters', clusters.length, total),
    }
  },
})

export const listWorkloads = readTool({
  name: 'list_workloads',
  title: 'List workloads',
  description: 'Workloads of all running clusters, or of one, the worst first, with ready pods and images.',
  needs: ['kubernetes.read', 'clusters.read'],
  input: {
    cluster: clusterField.optional(),
    namespace: namespaceField.optional(),
    kind: z.enum(workloadKinds).optional(),
    health: z.enum(healthStates).optional(),
    search: z.string().max(100).optional().describe('Part of the name.'),
    limit: limit.default(50),
  },
  output: {
    workloads: z.array(
      z.object({
        cluster: z.string(),
        namespace: z.string(),
        kind: z.string(),
        name: z.string(),
        health: z.string(),
        reason: nullableText,
        ready: z.number(),
        desired: z.number(),
        images: z.array(z.string()),
      }),
    ),
    /** Clusters that could not be read, and why. */
    unreadable: z.array(z.object({ cluster: z.string(), reason: z.string() })),
  },
  async run(context, { cluster, ...query }) {
    const found = cluster === undefined ? undefined : await findCluster(context, cluster)
    const { workloads, total, unreadable } = await context.call('kubernetes.allWorkloads', {
      query: { ...query, ...(found && { cluster: found.id }) },
    })
    return {
      summary: `${total} workloads match.`,
      workloads: workloads.map(({ cluster: of, namespace, kind, name, health, ready, desired, images }) => ({
        cluster: of,
        namespace,
        kind,
        name,
        health: health.state,
        reason: health.reason,
        ready,
        desired,
        images,
      })),
      unreadable: unreadable.map(({ title, reason }) => ({ cluster: title, reason })),
      leftOut: beyond('workloads', workloads.length, total),
    }
  },
})

export const getObject = readTool({
  name: 'get_object',
  title: 'Look at an object',
  description:
    'One object of a cluster: health, labels, containers with images and resources, owners, what it owns, and its latest events. Values of Secrets and of environment variables are never shown.',
  needs: ['kubernetes.read', 'clusters.read'],
  input: objectFields,
  output: {
    kind: z.string(),
    health: nullableText,
    reason: nullableText,
    createdAt: nullableText,
    labels: z.record(z.string(), z.string()),
    replicas: z.number().nullable(),
    containers: z.array(
      z.object({
        name: z.string(),
        image: z.string(),
        requests: z.record(z.string(), z.string()),
        limits: z.record(z.string(), z.string()),
        /** Names of its environment variables. */
        environment: z.array(z.string()),
      }),
    ),
    owners: z.array(z.object({ kind: z.string(), name: z.string() })),
    owned: z.array(z.object({ kind: z.string(), name: z.string(), status: nullableText })),
    events: z.array(
      z.object({
        type: z.string(),
        reason: z.string(),
        message: z.string(),
        count: z.number(),
        at: nullableText,
      }),
    ),
  },
  async run(context, fields) {
    const target = await findObject(context, fields)
    const found = await context.call('kubernetes.object', { params: objectParams(target) })
    const { object, health, owners, owned, ownedTotal, events, resource } = found
    return {
      summary: `${target.label} ${health === null ? 'exists' : `is ${health.state}`}.`,
      kind: resource.kind,
      health: health?.state ?? null,
      reason: health?.reason ?? null,
      ...describeContainers(object),
      owners: owners.map(({ kind, name }) => ({ kind, name })),
      owned: owned.map(({ kind, name, status }) => ({ kind, name, status })),
      events: events.map(({ type, reason, message, count, lastSeenAt }) => ({
        type,
        reason,
        message,
        count,
        at: lastSeenAt,
      })),
      leftOut: beyond('owned', owned.length, ownedTotal),
    }
  },
})

export const searchResources = readTool({
  name: 'search_resources',
  title: 'Search resources',
  description:
    'Everything of the organization that matches a query such as `kind:pod health:failing label:team=shop -namespace:kube-system web`. Keys: kind, health, label, tag, owner, cluster, namespace, name, created (<7d), is.',
  needs: ['resources.read'],
  input: { query: z.string().max(500).default(''), limit: limit.default(50) },
  output: {
    resources: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        name: z.string(),
        cluster: nullableText,
        namespace: nullableText,
        health: nullableText,
        tags: z.array(z.string()),
        owner: nullableText,
      }),
    ),
    total: z.number(),
  },
  async run({ call }, query) {
    const { resources, total, sentence, suggestion, gaps } = await call('resources.list', { query })
    return {
      summary: suggestion === null ? sentence : `${sentence} Try: ${suggestion}`,
      resources: resources.map(({ id, kind, name, cluster, namespace, health, tags, owner }) => ({
        id,
        kind,
        name,
        cluster: cluster?.title ?? null,
        namespace,
        health: health?.state ?? null,
        tags,
        owner: owner?.name ?? null,
      })),
      total,
      leftOut: [
        ...beyond('resources', resources.length, total),
        ...gaps.slice(0, 10).map(({ source, reason }) => `${source} could not be read: ${reason}`),
      ],
    }
  },
})

/** Says that a list has more rows than the result. */
export function beyond(name: string, shown: number, total: number): string[] {
  return total > shown ? [`${name}: ${shown} of ${total}. Filter, or ask for more by limit.`] : []
}
