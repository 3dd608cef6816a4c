import type { Entry } from './entries.ts'
import { baseEntry, labelsOf } from './entries.ts'
import type { KubeObject } from './kube-types.ts'
import type { Cell, PrintedObject } from './list-format.ts'
import { sharedText } from './shared-values.ts'

/** What is kept of an object of any kind: what the API server prints of it, and its labels. */
export type RowEntry = Entry & {
  cells: readonly Cell[]
  labels: Readonly<Record<string, string>>
  /** "ReplicaSet/web-5d9": kind and name of each owner. */
  owners: readonly string[]
  /** Changes when the object was written; where the cluster counts generations, not when its status alone was. */
  version: string
}

const noOwners: readonly string[] = []

export function rowEntry(object: KubeObject): RowEntry {
  const { metadata } = object
  return {
    ...baseEntry(object),
    cells: ((object as PrintedObject).cells ?? []).map(sharedCell),
    labels: labelsOf(object),
    owners: metadata?.ownerReferences?.map(({ kind, name }) => sharedText(`${kind}/${name}`)) ?? noOwners,
    version: String(metadata?.generation ?? metadata?.resourceVersion ?? ''),
  }
}

/** States, counts and nodes are alike in many rows; names and messages, which are longer, seldom are. */
const maxSharedCell = 24

function sharedCell(cell: Cell): Cell {
  return typeof cell === 'string' && cell.length <= maxSharedCell ? sharedText(cell) : cell
}
