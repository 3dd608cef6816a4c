import type { KubeList, KubeObject } from './kube-types.ts'

/** One page of a list. */
type ListedPage = {
  objects: KubeObject[]
  resourceVersion: string
  continueToken: string | undefined
  /** Objects on later pages; undefined where the cluster does not say. */
  remaining: number | undefined
}

/** In which form lists and watch events of a kind are asked for, and how they are read. */
export type ListFormat = {
  accept: string
  /** Added to the query of lists and watches. */
  query?: string
  /** One page of a list; undefined for what is no list. */
  page(body: unknown): ListedPage | undefined
  /** What an event of a watch is about. */
  event(object: KubeObject): { object: KubeObject | undefined; resourceVersion: string | undefined }
}

/** Whole objects, as they are stored. */
export const objectFormat: ListFormat = {
  accept: 'application/json',
  page(body) {
    const list = asList(body)
    return list && { objects: list.items ?? [], ...positionOf(list) }
  },
  event: (object) => ({ object, resourceVersion: object.metadata?.resourceVersion }),
}

function positionOf({ metadata }: KubeList) {
  return {
    resourceVersion: metadata?.resourceVersion ?? '',
    continueToken: metadata?.continue || undefined,
    remaining: metadata?.remainingItemCount,
  }
}

function asList(value: unknown): KubeList | undefined {
  return typeof value === 'object' && value !== null && 'metadata' in value ? (value as KubeList) : undefined
}

/** What the API server prints of an object in one column. */
export type Cell = string | number | boolean | null

/** A column of a kind, as the API server defines it. Columns of `priority` 0 are always shown. */
export type PrintedColumn = {
  name: string
  /** `string`, `integer`, `number`, `boolean` or `date`. */
  type: string
  format: string
  description: string
  priority: number
}

/** An object with its row of the table; of some only the metadata is known besides. */
export type PrintedObject = KubeObject & { cells?: Cell[] }

type KubeTable = KubeList & {
  kind?: string
  columnDefinitions?: Partial<PrintedColumn>[]
  rows?: { cells?: unknown[]; object?: KubeObject }[] | null
}

/**
 * Rows as the API server prints them for `kubectl get`, for every kind that it serves, custom ones with their own
 * columns, and with each row its object or the metadata of it (Kubernetes API concepts, "Receiving resources as
 * Tables"). An API server that cannot print answers objects. `onColumns` is called with the columns of each list.
 */
export function tableFormat(
  onColumns: (columns: PrintedColumn[]) => void,
  included: 'metadata' | 'objects' = 'metadata',
): ListFormat {
  const kept = included === 'objects' ? (object: KubeObject): PrintedObject => object : metadataOnly
  const rowsOf = ({ rows }: KubeTable): PrintedObject[] =>
    (rows ?? []).map(({ object, cells }) => ({ ...kept(object ?? {}), cells: (cells ?? []).map(cellOf) }))
  return {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    ...(included === 'objects' && { query: 'includeObject=Object' }),
    page(body) {
      const table: KubeTable | undefined = asList(body)
      if (!table) return undefined
      if (table.kind !== 'Table') {
        onColumns([])
        return { objects: (table.items ?? []).map(kept), ...positionOf(table) }
      }
      if (table.columnDefinitions?.length) onColumns(table.columnDefinitions.map(columnOf))
      return { objects: rowsOf(table), ...positionOf(table) }
    },
    event(object) {
      const table = object as KubeTable & KubeObject
      if (table.kind !== 'Table')
        return { object: kept(object), resourceVersion: object.metadata?.resourceVersion }
      const [row] = rowsOf(table)
      const resourceVersion = table.metadata?.resourceVersion || row?.metadata?.resourceVersion
      return { object: row, resourceVersion }
    },
  }
}

const metadataOnly = ({ metadata }: KubeObject): PrintedObject => (metadata ? { metadata } : {})

const maxCellText = 1024

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxCellText)
}

function columnOf(column: Partial<PrintedColumn>): PrintedColumn {
  const { name = '', type = 'string', format = '', description = '', priority = 0 } = column
  return { name, type, format, description, priority }
}
