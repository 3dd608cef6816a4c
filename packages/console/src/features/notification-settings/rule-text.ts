import type { NotificationChannel, NotificationRule } from '@bey/contract'
import { notificationEventLabels } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { absoluteTime } from '../../ui/time-text.ts'

/** What a rule notifies of, in words. */
export function ruleSubject({
  events,
  minSeverity,
  whose,
  clusterIds,
  workflowIds,
}: NotificationRule): string {
  const [first] = events
  const what =
    events.length === 1 && first
      ? notificationEventLabels[first]
      : formatCount(events.length, 'kind of event', 'kinds of events')
  return [
    what,
    minSeverity === 'info' ? '' : minSeverity === 'warning' ? 'warnings and errors' : 'errors only',
    whose === 'mine' ? 'mine only' : '',
    clusterIds.length > 0 ? formatCount(clusterIds.length, 'cluster') : '',
    workflowIds.length > 0 ? formatCount(workflowIds.length, 'workflow') : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Where a rule sends to, and when. */
export function ruleTargets(rule: NotificationRule, channels: readonly NotificationChannel[]): string {
  const { inApp, mail, channelIds, quiet, digest, mutedUntil, isEnabled } = rule
  if (!isEnabled) return 'switched off'
  if (mutedUntil !== null && isMutedNow(rule)) {
    return `muted until ${absoluteTime(new Date(mutedUntil))}`
  }
  const names = channelIds.map((id) => channels.find((each) => each.id === id)?.name ?? 'a channel')
  const targets = [inApp ? 'in the console' : '', mail ? 'by mail' : '', ...names].filter(Boolean)
  return [
    targets.length > 0 ? targets.join(', ') : 'nowhere',
    digest === 'none' ? '' : `${digest} digest`,
    quiet ? `quiet ${quiet.from}–${quiet.to}` : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Whether a rule notifies of nothing at the moment. */
export function isMutedNow({ mutedUntil }: NotificationRule): boolean {
  return mutedUntil !== null && Date.parse(mutedUntil) > Date.now()
}
