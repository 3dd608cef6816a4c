import type { DatabaseBackupPolicy } from '@bey/contract'
import { cronText } from '../../../entities/kubernetes/panels/cron-text.ts'
import type { Fact } from '../../../ui/facts.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'

/** When what a schedule begins comes next; nothing without one. */
export function nextFact(label: string, at: string | null): Fact[] {
  return at === null ? [] : [{ label, value: <RelativeTime at={at} /> }]
}

/** "Every day at 02:30, UTC"; `otherwise` without a schedule. */
export function policyScheduleText(cron: string | null, otherwise: string, now: number): string {
  if (cron === null) return otherwise
  const text = cronText(cron, 'UTC', new Date(now))
  return 'words' in text ? `${text.words}, UTC` : cron
}

export function checksText(checks: DatabaseBackupPolicy['checks']): string {
  return checks.length === 0 ? 'that it answers' : checks.map(({ name }) => name).join(', ')
}
