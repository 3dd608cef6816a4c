import type { Health } from '@bey/contract'

/** Kinds that have no health of their own: one of them is in trouble when a rule says so, and then it is this. */
const symptoms: Readonly<Record<string, readonly [reason: string, detail: string]>> = {
  Ingress: ['BackendMissing', 'requests to it cannot be answered'],
  Service: ['NoEndpoints', 'requests to it cannot be answered'],
  HorizontalPodAutoscaler: ['ScalingInactive', 'it scales nothing'],
  ValidatingWebhookConfiguration: ['WebhookUnanswered', 'what it checks is refused'],
  MutatingWebhookConfiguration: ['WebhookUnanswered', 'what it changes is refused'],
}

/** What is wrong with an object of a kind without health, if anything is; null for every other kind. */
export function quietHealth(kind: string): Health | null {
  const found = Object.hasOwn(symptoms, kind) ? symptoms[kind] : undefined
  if (!found) return null
  const [reason, detail] = found
  return { state: 'degraded', reason, detail, since: null, object: null }
}
