import type { ResourceRow } from '@bey/contract'
import { csvLine } from '../../platform/csv.ts'

const columns = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  name: ({ name }) => name,
  cluster: ({ cluster }) => cluster?.title,
  namespace: ({ namespace }) => namespace,
  health: ({ health }) => health?.state,
  reason: ({ health }) => health?.reason,
  owner: ({ owner }) => owner?.name,
  tags: ({ tags }) => tags.join(' '),
  labels: ({ labels }) =>
    Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  is: ({ marks }) => marks.join(' '),
  createdAt: ({ createdAt }) => createdAt,
  createdBy: ({ createdBy }) => createdBy?.name,
} as const satisfies Record<string, (row: ResourceRow) => string | null | undefined>

/** Resources as a file of values separated by commas (RFC 4180), with the names of the columns first. */
export function csvOf(rows: readonly ResourceRow[]): string {
  const all = Object.values(columns)
  const lines = rows.map((row) => csvLine(all.map((valueOf) => valueOf(row) ?? '')))
  return [csvLine(Object.keys(columns)), ...lines].join('')
}
