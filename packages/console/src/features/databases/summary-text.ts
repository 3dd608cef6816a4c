import { formatCount } from '../../lib/format.ts'
import { sinceText } from '../../ui/time-text.ts'

interface Summary {
  total: number
  unreachable: number
  unreachableSince: string | null
  attention: number
}

/** "1 of 12 databases cannot be reached, since 13:02. 3 more need attention." */
export function summaryText({ total, unreachable, unreachableSince, attention }: Summary): string {
  if (total === 0) return 'None yet'
  const others = attention - unreachable
  const since = unreachableSince === null ? '' : `, since ${sinceText(unreachableSince)}`
  const parts = [
    unreachable > 0
      ? `${unreachable} of ${formatCount(total, 'database')} cannot be reached${since}.`
      : undefined,
    others > 0
      ? `${others}${unreachable > 0 ? ' more' : ` of ${formatCount(total, 'database')}`} ${others === 1 ? 'needs' : 'need'} attention.`
      : undefined,
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(' ') : formatCount(total, 'database')
}
