import { noNamespace } from '@bey/contract'
import { clusterHref } from '../clusters/cluster-text.ts'

/** An object within its cluster. */
export interface PeekAddress {
  resource: string
  /** Empty for what belongs to no namespace. */
  namespace: string
  name: string
}

/** The resources that the rows of a list are of, each once. */
export function resourcesOf<Row>(
  rows: readonly Row[] | undefined,
  rowAddress: ((row: Row) => Pick<PeekAddress, 'resource'>) | undefined,
): readonly string[] {
  return rowAddress ? [...new Set((rows ?? []).map((row) => rowAddress(row).resource))] : []
}

/** An object as it stands in the address of a list: `deployments.apps/payments/checkout`. */
export function peekText({ resource, namespace, name }: PeekAddress): string {
  return `${resource}/${namespace || noNamespace}/${name}`
}

/** The nodes of a cluster with one of them in the drawer. */
export function nodePeekHref(clusterId: number, name: string): string {
  const peek = `${clusterId}/${peekText({ resource: 'nodes', namespace: '', name })}`
  return clusterHref(clusterId, `nodes?${new URLSearchParams({ q: name, peek }).toString()}`)
}
