import { type ImpactTime, resourceKindOf } from '@bey/contract'
import type { RelatedResource } from '../../data/relations.ts'

/** `Pods`, as the heading of a box. */
export function kindTitle(kind: string): string {
  const plural = resourceKindOf(kind)?.plural ?? kind
  return plural.charAt(0).toUpperCase() + plural.slice(1)
}

/** `pod in prod-eu, shop`: what it is and where. */
export function placeText({ kind, cluster, namespace }: RelatedResource): string {
  const singular = resourceKindOf(kind)?.singular ?? kind
  // A cluster is in no other.
  const place = [kind === 'cluster' ? undefined : cluster?.title, namespace].filter(Boolean).join(', ')
  return place === '' ? singular : `${singular} in ${place}`
}

/** `shop/web`, where a namespace tells it apart. */
export function shortPlace({ cluster, namespace }: RelatedResource): string {
  return [cluster?.title, namespace].filter(Boolean).join(' / ')
}

export const timeTitles: Readonly<Record<ImpactTime, string>> = {
  at_once: 'At once',
  next_restart: 'At the next restart',
  next_use: 'At the next use',
  when_destroyed: 'When it is destroyed',
}
