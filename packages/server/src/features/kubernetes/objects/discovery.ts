import type { ResourceInfo } from '@bey/contract'
import { resourceName } from '@bey/contract'
import { BadAnswer } from '../connection/bad-answer.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'

/** What a cluster serves, each resource in the version that it prefers. */
export type Discovered = { resources: ResourceInfo[]; unavailableGroups: string[] }

const maxResources = 2000
const timeoutMs = 10_000
/** Aggregated discovery: everything in two requests (Kubernetes 1.27 and later). */
const aggregated = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',')

/** Asks a cluster what it serves. Throws what the client throws, and BadAnswer for what lists no resources. */
export async function discover(client: KubeClient, connection: ClusterConnection): Promise<Discovered> {
  const get = (path: string, accept = 'application/json') =>
    client.get(connection, path, AbortSignal.timeout(timeoutMs), { timeoutMs, accept })
  const bodies = await Promise.all(
    ['/api', '/apis'].map((path) => get(path, `${aggregated},application/json`)),
  )
  const found = bodies.every(isAggregated)
    ? bodies.flatMap((body) => (body as GroupDiscoveryList).items ?? []).map(ofGroup)
    : await discoverByGroup(get)
  const resources = found
    .flatMap((group) => group.resources)
    .toSorted((a, b) => compare(a.group, b.group) || compare(a.plural, b.plural))
  return {
    resources: resources.slice(0, maxResources),
    unavailableGroups: found.flatMap(({ unavailable }) => unavailable ?? []).slice(0, 200),
  }
}

const noList = 'its answer is no list of Kubernetes resources'

type GroupDiscoveryList = { kind?: string; items?: GroupDiscovery[] | null }
type GroupDiscovery = {
  metadata?: { name?: string }
  versions?: {
    version?: string
    freshness?: string
    resources?: {
      resource?: string
      responseKind?: { kind?: string; group?: string; version?: string }
      scope?: string
      shortNames?: string[]
      verbs?: string[]
    }[]
  }[]
}
type Found = { resources: ResourceInfo[]; unavailable?: string }

function isAggregated(body: unknown): boolean {
  return (body as GroupDiscoveryList | null)?.kind === 'APIGroupDiscoveryList'
}

/** The first version of a group is the one that it prefers; a resource that it lacks there is taken from the next. */
function ofGroup({ metadata, versions = [] }: GroupDiscovery): Found {
  const group = metadata?.name ?? ''
  const byPlural = new Map<string, ResourceInfo>()
  for (const { version = '', resources = [] } of versions) {
    for (const each of resources) {
      const plural = each.resource ?? ''
      if (plural === '' || byPlural.has(plural)) continue
      const info = { plural, group, version, kind: each.responseKind?.kind ?? plural }
      const shortNames = each.shortNames ?? []
      byPlural.set(
        plural,
        resourceOf({
          ...info,
          shortNames,
          isNamespaced: each.scope === 'Namespaced',
          verbs: each.verbs ?? [],
        }),
      )
    }
  }
  const isStale = versions.some(({ freshness }) => freshness === 'Stale')
  return { resources: [...byPlural.values()].filter(canBeListed), ...(isStale && { unavailable: group }) }
}

type ResourceList = {
  resources?: {
    name?: string
    kind?: string
    namespaced?: boolean
    shortNames?: string[]
    verbs?: string[]
  }[]
}
type GroupList = {
  groups?: { name?: string; versions?: { version?: string }[]; preferredVersion?: { version?: string } }[]
}

/** For API servers without aggregated discovery: one request a group. */
async function discoverByGroup(get: (path: string) => Promise<unknown>): Promise<Found[]> {
  const { groups } = ((await get('/apis')) ?? {}) as GroupList
  if (!Array.isArray(groups)) throw new BadAnswer(noList)
  const wanted = [
    { group: '', version: 'v1' },
    ...groups.map(({ name = '', versions, preferredVersion }) => ({
      group: name,
      version: preferredVersion?.version ?? versions?.[0]?.version ?? '',
    })),
  ]
  return Promise.all(
    wanted.map(async ({ group, version }): Promise<Found> => {
      try {
        const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
        const { resources } = ((await get(path)) ?? {}) as ResourceList
        if (!Array.isArray(resources)) throw new BadAnswer(noList)
        const found = resources
          .filter(({ name }) => name && !name.includes('/'))
          .map(({ name = '', kind = name, namespaced = false, shortNames = [], verbs = [] }) =>
            resourceOf({ group, version, plural: name, kind, isNamespaced: namespaced, shortNames, verbs }),
          )
        return { resources: found.filter(canBeListed) }
      } catch (error) {
        // An aggregated API whose server is away or wrong: the rest is served nevertheless.
        const isOfGroup = error instanceof KubeError || (error instanceof BadAnswer && group !== '')
        if (isOfGroup) return { resources: [], unavailable: group }
        throw error
      }
    }),
  )
}

function resourceOf(info: Omit<ResourceInfo, 'resource' | 'isCustom'>): ResourceInfo {
  return {
    resource: resourceName(info.plural, info.group),
    ...info,
    isCustom: !isBuiltIn(info.group),
  }
}

/** Groups of Kubernetes itself have no dot, or end in its own domain; metrics come from an aggregated API there. */
function isBuiltIn(group: string): boolean {
  return !group.includes('.') || (group.endsWith('.k8s.io') && !crdGroups.has(group))
}

/** Groups below Kubernetes' domain that are installed as custom resource definitions. */
const crdGroups = new Set(['gateway.networking.k8s.io', 'snapshot.storage.k8s.io', 'cluster.x-k8s.io'])

const canBeListed = ({ verbs }: ResourceInfo) => verbs.includes('list')

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
