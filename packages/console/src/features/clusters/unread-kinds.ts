import type { ClusterOverview } from '@bey/contract'

/** Whether a kind is missing from an overview: its figures are then not zero, but unknown. */
export function isUnread({ unreadable }: ClusterOverview, kind: string): boolean {
  return unreadable?.kinds.includes(kind) ?? false
}
