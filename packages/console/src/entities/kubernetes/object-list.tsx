import type { Cluster, ObjectRow, ResourceInfo } from '@bey/contract'
import { healthStates, isConfigResource, isMeasuredStorage, objectPath } from '@bey/contract'
import { useCallback, useMemo } from 'react'
import { useObjects, useResources } from '../../data/kubernetes.ts'
import type { ObjectQuery } from '../../data/kubernetes.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { oneOf, useListLocation } from '../../lib/list-location.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/select.tsx'
import { hasServiceHealth, objectColumns, objectSort } from './object-columns.tsx'
import { HealthCounts } from '../health/health-counts.tsx'
import { healthOf } from '../health/health-select.tsx'
import { healthHeading } from './workload-columns.tsx'
import { NamespaceSelect, ResourceList } from './resource-list.tsx'
import { pluralOf } from './resource-text.ts'

/**
 * Objects of one of several resources of a cluster, with the columns that the cluster prints. Which one stands in the
 * address as `type`; without it, the first that the cluster serves.
 */
export function ObjectList({
  cluster,
  isListed,
  isNamespacedAtFirst = true,
  isCountedAtFirst = false,
  namespace,
  emptyText,
  noneText,
}: {
  cluster: Cluster
  /** Which resources can be chosen; the order is kept where it gives one by rank. */
  isListed: (resource: ResourceInfo) => number | false
  /** Whether the resource that is shown first has namespaces: the filters are laid out before it is read. */
  isNamespacedAtFirst?: boolean
  /** Whether what is shown first is counted by health: the line of the counts keeps its room before it is read. */
  isCountedAtFirst?: boolean
  /** The only namespace whose objects are listed. */
  namespace?: string
  emptyText: string
  /** Shown where the cluster serves none of them. */
  noneText: string
}) {
  const listLocation = useListLocation()
  const isRunning = cluster.status === 'RUNNING'
  const served = useResources(cluster.id, isRunning)
  const choices = useMemo(() => choicesOf(served.data?.resources ?? [], isListed), [served.data, isListed])
  const asked = listLocation.search.type
  const chosen = choices.find(({ resource }) => resource === asked) ?? (asked ? undefined : choices[0])
  const resource = chosen?.resource ?? asked ?? ''
  const query = queryOf(listLocation, resource)
  const isGrouped = query.sort === 'health' && query.order !== 'desc'
  if (namespace !== undefined) query.namespace = namespace
  const list = useObjects(cluster.id, resource, query, isRunning)
  const printed = list.data?.columns
  const isNamespaced = list.data?.resource.isNamespaced ?? true
  const columns = useMemo(() => {
    const hasNamespace = isNamespaced && namespace === undefined
    const all = objectColumns(printed ?? [], {
      isNamespaced: hasNamespace,
      hasUsage: isMeasuredStorage(resource),
      hasHealth: hasServiceHealth(resource),
      hasUsers: isConfigResource(resource),
    })
    // Which columns the cluster prints is known with the rows: headers that were shown before would move.
    return printed ? all : all.slice(0, 1)
  }, [printed, isNamespaced, namespace, resource])
  const rowAddress = useCallback(
    ({ namespace, name }: ObjectRow) => ({ resource, namespace, name }),
    [resource],
  )
  if (isRunning && served.data && choices.length === 0 && !asked) {
    return <EmptyState title="Nothing to show" description={noneText} />
  }
  const info = list.data?.resource ?? chosen
  return (
    <ResourceList
      cluster={cluster}
      noun={info ? pluralOf(info) : 'objects'}
      columns={columns}
      list={served.error && !list.data ? { ...list, error: served.error } : list}
      rows={list.data?.objects}
      rowHref={({ namespace, name }) => objectPath({ clusterId: cluster.id, resource, namespace, name })}
      rowAddress={rowAddress}
      kubectlResources={resource}
      isNamespaced={info?.isNamespaced ?? true}
      namespace={namespace}
      hasLabels
      isTypeResource
      listLocation={listLocation}
      defaultSort={objectSort(resource)}
      {...(isGrouped && {
        groupOf: (row: ObjectRow) => row.health?.state ?? 'unknown',
        groupHeading: (state: string) => {
          const known = oneOf(healthStates, state) ?? 'unknown'
          return healthHeading(known, list.data?.counts?.[known])
        },
      })}
      atRest={
        list.data?.counts ? (
          <HealthCounts counts={list.data.counts} listLocation={listLocation} />
        ) : hasServiceHealth(resource) || (resource === '' && isCountedAtFirst) ? null : undefined
      }
      emptyText={emptyText}
      filters={
        <>
          <Select
            aria-label="Resource"
            className="w-52"
            controlSize="small"
            value={resource}
            onChange={(event) =>
              listLocation.change({
                type: event.target.value,
                sort: undefined,
                order: undefined,
                q: undefined,
                label: undefined,
                health: undefined,
              })
            }
            options={optionsOf(choices, resource)}
          />
          {namespace === undefined && (info?.isNamespaced ?? (isNamespacedAtFirst || asked !== undefined)) ? (
            <NamespaceSelect cluster={cluster} listLocation={listLocation} />
          ) : null}
        </>
      }
    />
  )
}

function choicesOf(
  resources: readonly ResourceInfo[],
  isListed: (resource: ResourceInfo) => number | false,
): ResourceInfo[] {
  return resources
    .map((resource) => ({ resource, rank: isListed(resource) }))
    .filter((each): each is { resource: ResourceInfo; rank: number } => each.rank !== false)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ resource }) => resource)
}

/** Two groups may have the same kind; then the group says which is meant. */
function optionsOf(choices: readonly ResourceInfo[], asked: string) {
  const known = choices.map(({ resource, kind, group }) => {
    const isShared = choices.some((each) => each.kind === kind && each.group !== group)
    return { value: resource, label: isShared ? `${kind} (${group})` : kind }
  })
  return known.some(({ value }) => value === asked) || asked === ''
    ? known
    : [{ value: asked, label: asked }, ...known]
}

function queryOf(listLocation: ListLocation, resource: string): ObjectQuery {
  const { search } = listLocation
  const query: ObjectQuery = { sort: objectSort(resource).key }
  const health = hasServiceHealth(resource) ? healthOf(listLocation) : undefined
  if (health) query.health = health
  if (search.page) query.page = search.page
  if (search.q) query.search = search.q
  if (search.namespace) query.namespace = search.namespace
  if (search.label) query.labels = search.label
  if (search.sort) query.sort = search.sort
  if (search.order) query.order = search.order
  return query
}
