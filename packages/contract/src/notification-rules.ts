/**
 * Where a notification comes from: a toast, the end of a run that the user started, a change of health, a secret, a run
 * that waits for the user's decision, a webhook, or an account.
 */
export const notificationKinds = [
  'toast',
  'run',
  'health',
  'secret',
  'approval',
  'webhook',
  'account',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** How a notification looks and weighs: the types of toasts. */
export const notificationLevels = ['success', 'info', 'warning', 'error', 'loading', 'default'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

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
