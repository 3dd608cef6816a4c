import type { Health } from '@bey/contract'
import { needsAttention } from '@bey/contract'

/**
 * What the column of a pod's status says: what kubectl prints, except where that is no reason for the state of its
 * health – a container runs for a moment between two crashes, and a node that does not report leaves its last words.
 */
export function podStatusText(health: Health, printed: string): string {
  return needsAttention(health) && health.reason && !printed.startsWith('Init:') ? health.reason : printed
}
