import type { Grouping, Matching } from './ast.ts'
import type { SeriesLabels } from './reader.ts'

/** One value per step; null where there is none. NaN and the infinities are values. */
export type Values = (number | null)[]

export type Series = { labels: SeriesLabels; values: Values }

export type Value =
  | { type: 'scalar'; values: number[] }
  | { type: 'string'; text: string }
  | { type: 'vector'; series: Series[] }

export const nameLabel = '__name__'

/** The same text for the same labels, whatever their order. */
export function labelsKey(labels: SeriesLabels): string {
  let key = ''
  for (const name of Object.keys(labels).sort()) {
    const value = labels[name]
    if (value !== undefined && value !== '') key += `${name}\u0000${value}\u0001`
  }
  return key
}

/** Labels that a filter on names keeps. */
export function pickLabels(labels: SeriesLabels, keep: (name: string) => boolean): SeriesLabels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => keep(name)))
}

export const withoutName = (labels: SeriesLabels) => pickLabels(labels, (name) => name !== nameLabel)

/** Labels of the group in which an aggregation puts a series. */
export function groupLabels(labels: SeriesLabels, { kind, labels: names }: Grouping): SeriesLabels {
  return kind === 'by'
    ? pickLabels(labels, (name) => names.includes(name))
    : pickLabels(labels, (name) => name !== nameLabel && !names.includes(name))
}

/** Labels by which elements of two vectors find each other. */
export function matchLabels(
  labels: SeriesLabels,
  { kind, labels: names }: Pick<Matching, 'kind' | 'labels'>,
) {
  return groupLabels(labels, { kind: kind === 'on' ? 'by' : 'without', labels: names })
}
