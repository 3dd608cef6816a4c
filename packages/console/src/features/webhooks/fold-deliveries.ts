import type { WebhookDelivery } from '@bey/contract'
import { answerText } from './webhook-text.ts'

export interface FoldedDelivery {
  /** The newest. */
  delivery: WebhookDelivery
  /** How many equal ones it stands for. */
  count: number
  /** When the next of them is attempted again, RFC 3339. */
  nextAttemptAt: string | null
}

/** Deliveries, newest first: those that follow each other with the same event, status and answer are one. */
export function foldDeliveries(deliveries: readonly WebhookDelivery[]): FoldedDelivery[] {
  const folded: FoldedDelivery[] = []
  for (const delivery of deliveries) {
    const last = folded.at(-1)
    if (last && keyOf(last.delivery) === keyOf(delivery)) {
      last.count += 1
      last.nextAttemptAt = earlier(last.nextAttemptAt, delivery.nextAttemptAt)
    } else folded.push({ delivery, count: 1, nextAttemptAt: delivery.nextAttemptAt })
  }
  return folded
}

const keyOf = (delivery: WebhookDelivery) =>
  [delivery.type, delivery.status, delivery.isTest, answerText(delivery)].join('\n')

const earlier = (one: string | null, other: string | null) =>
  one === null || other === null ? (one ?? other) : one < other ? one : other
