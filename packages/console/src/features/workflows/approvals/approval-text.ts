import type { Approval } from '@bey/contract'
import { formatDuration } from '../../../lib/format.ts'
import type { DiffLine } from '../../../ui/diff-lines.tsx'

/** "1 of 2 approvals, within 26 min": what it still takes. `now` in milliseconds since 1970. */
export function neededText({ neededCount, decisions, expiresAt, status }: Approval, now: number): string {
  const given = decisions.filter(({ decision }) => decision === 'approve').length
  const count = `${given} of ${neededCount} ${neededCount === 1 ? 'approval' : 'approvals'}`
  if (status !== 'pending' || !expiresAt) return count
  const leftMs = Date.parse(expiresAt) - now
  return leftMs > 0 ? `${count}, within ${formatDuration(leftMs)}` : `${count}, time is over`
}

/**
 * "2 can decide: Ada Lovelace, Grace Hopper."; to who asked "Waiting for Ada Lovelace or Grace Hopper.", for nobody else
 * can go on.
 */
export function decidersText(
  { deciders, decidersTotal }: Pick<Approval, 'deciders' | 'decidersTotal'>,
  isOwn: boolean,
): string {
  if (decidersTotal === 0) return 'Nobody can decide this.'
  const names = deciders.slice(0, mostNames).map(({ name }) => name)
  const rest = decidersTotal - names.length
  const all = rest > 0 ? [...names, `${rest} more`] : names
  if (!isOwn) return `${decidersTotal} can decide: ${all.join(', ')}.`
  const last = all.at(-1) ?? ''
  return `Waiting for ${all.length > 1 ? `${all.slice(0, -1).join(', ')} or ${last}` : last}.`
}

const mostNames = 4

/** What happens when nobody decides in time. */
export function timeoutText(onTimeout: Approval['onTimeout']): string {
  return {
    reject: 'It is rejected.',
    approve: 'It is approved.',
    fail: 'The step fails.',
  }[onTimeout]
}

/** A textual diff as lines with signs; lines of other shapes stay as they are. */
export function planLines(plan: string): DiffLine[] {
  return plan.split('\n').map((line): DiffLine => {
    if (/^(\+\+\+|---|@@)/.test(line)) return { kind: 'gap', text: line }
    if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) }
    if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) }
    return { kind: 'same', text: line.startsWith(' ') ? line.slice(1) : line }
  })
}

/** "2 added, 1 removed". */
export function planCount(lines: readonly DiffLine[]): string {
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length
  return `${count('added')} added, ${count('removed')} removed`
}

/** The status of an approval in the words of statuses that every list knows. */
export const statusOfApproval: Record<Approval['status'], string> = {
  pending: 'waiting',
  approved: 'completed',
  rejected: 'failed',
  timed_out: 'timed_out',
  cancelled: 'cancelled',
}
