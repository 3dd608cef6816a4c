/**
 * Where a notification comes from: a toast, the end of a run that the user started, a change of health, a secret, a run
 * that waits for the user's decision, a webhook, an account, the audit log, an alert, or a budget.
 */
export const notificationKinds = [
  'toast',
  'run',
  'health',
  'secret',
  'approval',
  'webhook',
  'account',
  'audit',
  'alert',
  'budget',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** How a notification looks and weighs: the types of toasts. */
export const notificationLevels = ['success', 'info', 'warning', 'error', 'loading', 'default'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

/** What rules choose from; `noun.verb` in the past. */
export const notificationEvents = [
  'run.failed',
  'run.needs_attention',
  'run.completed',
  'run.cancelled',
  'health.failing',
  'health.recovered',
  'secret.attention',
  'ingress.attention',
  'alert.firing',
  'alert.resolved',
  'budget.reached',
  'budget.paused',
] as const
export type NotificationEvent = (typeof notificationEvents)[number]

export const notificationEventLabels: Readonly<Record<NotificationEvent, string>> = {
  'run.failed': 'A run failed or timed out',
  'run.needs_attention': 'A run needs attention or expired',
  'run.completed': 'A run completed',
  'run.cancelled': 'A run was cancelled',
  'health.failing': 'A cluster, database or network is failing or does not answer',
  'health.recovered': 'A cluster, database or network has recovered',
  'secret.attention': 'A secret expires, or its rotation failed',
  'ingress.attention': 'A certificate ends, or a host leads nowhere',
  'alert.firing': 'An alert fires, or has no data',
  'alert.resolved': 'An alert is resolved',
  'budget.reached': 'A budget has reached 50, 80 or 100 %',
  'budget.paused': 'A budget pauses new runs, or ends that',
}

/** How bad something must be at least, the least bad first. */
export const notificationSeverities = ['info', 'warning', 'error'] as const
export type NotificationSeverity = (typeof notificationSeverities)[number]

/** What else than a list in the console a notification is sent to. */
export const notificationChannelKinds = ['slack', 'webhook'] as const

export const notificationDigests = ['none', 'hourly', 'daily'] as const
export type NotificationDigest = (typeof notificationDigests)[number]

export const notificationRuleBounds = {
  maxRules: 50,
  maxChannels: 20,
  maxSubjects: 50,
  maxName: 80,
  /** The same of the same thing is sent at most so often; what comes in between is counted. */
  repeatMinutes: 15,
  /** Hour of the day, in the rule's time zone, at which a daily digest is sent. */
  digestHour: 8,
} as const

/** Lengths in characters, and how much is kept. */
export const notificationBounds = {
  maxTitle: 200,
  maxDetail: 1_000,
  maxHref: 300,
  maxRequestId: 100,
  /** One request records at most so many. */
  maxRecorded: 20,
  /** The unread are counted up to here; 100 shows as "99+". */
  maxCounted: 100,
  /** Kept for each user and organization; older ones go first. */
  maxKept: 500,
  keptDays: 90,
} as const
