import type { NotificationEvent, NotificationSeverity } from '@bey/contract'
import { notificationSeverities } from '@bey/contract/notifications/rules'
import { dueTime, type Timing } from './due-time.ts'

export type Rule = Timing & {
  id: string
  /** Null: the organization's. */
  userId: number | null
  events: readonly NotificationEvent[]
  minSeverity: NotificationSeverity
  whose: 'anyone' | 'mine'
  clusterIds: readonly number[]
  workflowIds: readonly string[]
  inApp: boolean
  mail: boolean
  channelIds: readonly string[]
  mutedUntil: Date | null
}

export type Happening = {
  event: NotificationEvent
  severity: NotificationSeverity
  clusterId?: number | undefined
  workflowId?: string | undefined
  /** Whose it is: who started the run, who manages the secret, or every member. */
  concerned: readonly number[]
}

export type Decision = {
  /** Users who find it in the console's list. */
  inApp: number[]
  sent: { ruleId: string; userId: number | null; channelId: string | null; dueAt: Date }[]
}

/**
 * Who is notified of what happened, and where. A person's own rules are in force for them instead of the organization's;
 * without any rule it is listed in the console for those whom it concerns. `members` are asked for only if all could be.
 */
export async function decide(
  rules: readonly Rule[],
  happening: Happening,
  now: Date,
  members: () => Promise<readonly number[]>,
): Promise<Decision> {
  const shared = rules.filter(({ userId }) => userId === null)
  const matching = rules.filter((rule) => matches(rule, happening, now))
  const isForAll = matching.some(
    ({ userId, whose, inApp, mail }) => userId === null && whose === 'anyone' && (inApp || mail),
  )
  const users = new Set([
    ...happening.concerned,
    ...matching.flatMap(({ userId }) => (userId === null ? [] : [userId])),
    ...(isForAll ? await members() : []),
  ])
  const decision: Decision = { inApp: [], sent: [] }
  for (const userId of users) {
    const own = rules.filter((rule) => rule.userId === userId)
    const inForce = own.length > 0 ? own : shared
    const isAffected = happening.concerned.includes(userId)
    if (inForce.length === 0) {
      if (isAffected) decision.inApp.push(userId)
      continue
    }
    const mine = inForce.filter((rule) => matching.includes(rule) && (rule.whose === 'anyone' || isAffected))
    if (mine.some(({ inApp }) => inApp)) decision.inApp.push(userId)
    const byMail = mine.find(({ mail }) => mail)
    if (byMail)
      decision.sent.push({ ruleId: byMail.id, userId, channelId: null, dueAt: dueTime(now, byMail) })
    for (const rule of mine) {
      if (rule.userId !== null) decision.sent.push(...toChannels(rule, now))
    }
  }
  for (const rule of matching) {
    if (rule.userId === null) decision.sent.push(...toChannels(rule, now))
  }
  return decision
}

function toChannels(rule: Rule, now: Date): Decision['sent'] {
  return rule.channelIds.map((channelId) => ({
    ruleId: rule.id,
    userId: null,
    channelId,
    dueAt: dueTime(now, rule),
  }))
}

function matches(rule: Rule, { event, severity, clusterId, workflowId }: Happening, now: Date): boolean {
  if (rule.mutedUntil !== null && rule.mutedUntil > now) return false
  if (!rule.events.includes(event)) return false
  if (notificationSeverities.indexOf(severity) < notificationSeverities.indexOf(rule.minSeverity))
    return false
  if (rule.clusterIds.length === 0 && rule.workflowIds.length === 0) return true
  // A rule that names clusters and workflows is about either.
  return (
    (clusterId !== undefined && rule.clusterIds.includes(clusterId)) ||
    (workflowId !== undefined && rule.workflowIds.includes(workflowId))
  )
}
