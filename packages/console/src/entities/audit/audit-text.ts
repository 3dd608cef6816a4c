import type { AuditEntry } from '@bey/contract'
import { kindWords, kubernetesActText } from '@bey/contract'

export const auditViaLabels: Record<AuditEntry['via'], string> = {
  console: 'browser',
  api: 'API',
  cli: 'CLI',
  kubectl: 'kubectl',
  mcp: 'assistant',
  workflow: 'run',
  system: 'schedule',
}

export const auditClassLabels: Record<AuditEntry['class'], string> = {
  auth: 'Sign-in',
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  read: 'Read',
  execute: 'Ran',
  access: 'Access',
}

const outcomeLabels: Record<AuditEntry['outcome'], string> = {
  success: 'done',
  failure: 'failed',
  denied: 'refused',
  unknown: 'end unknown',
}

/** "done", "refused: no grant". */
export function outcomeText({ outcome, reason }: Pick<AuditEntry, 'outcome' | 'reason'>): string {
  return reason === null ? outcomeLabels[outcome] : `${outcomeLabels[outcome]}: ${reason}`
}

/** What was acted on, in words: "orders-db-password", "pod shop/web-1 in prod". */
export function targetText({ target, object }: Pick<AuditEntry, 'target' | 'object'>): string {
  if (target === null) return '—'
  const name = target.name ?? target.id ?? target.type
  if (object === null) return name
  const [resource = '', namespace = '', ...rest] = object.split('/')
  return `${kindWords(resource)} ${namespace === '' ? '' : `${namespace}/`}${rest.join('/')} in ${name}`
}

/** The same beside what was done: an act that names its object leaves where that is, "shop in prod". */
export function targetPlaceText(entry: Pick<AuditEntry, 'action' | 'target' | 'object'>): string {
  const { action, target, object } = entry
  if (target === null || kubernetesActText(action, object) === undefined) return targetText(entry)
  const namespace = object?.split('/')[1] ?? ''
  return [namespace, target.name ?? target.type].filter(Boolean).join(' in ')
}

/** "Firefox on Linux"; undefined of what is no browser that we know. */
export function browserText(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined
  const browser = [
    ['Edg/', 'Edge'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ].find(([mark = '']) => userAgent.includes(mark))?.[1]
  if (browser === undefined) return undefined
  const system = [
    ['Android', 'Android'],
    ['iPhone', 'iOS'],
    ['Windows', 'Windows'],
    ['Mac OS', 'macOS'],
    ['Linux', 'Linux'],
  ].find(([mark = '']) => userAgent.includes(mark))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}
