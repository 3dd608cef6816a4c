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

/** The same with how many are proven restorable: "12 databases. 6 of the 7 backed up here are proven restorable." */
export function summaryWithProofs(summary: Summary & { backedUp: number; proven: number }): string {
  const { backedUp, proven } = summary
  const text = summaryText(summary)
  if (backedUp === 0) return text
  const proof =
    backedUp === 1
      ? `The one backed up here is ${proven === 1 ? '' : 'not '}proven restorable.`
      : `${proven} of the ${backedUp} backed up here ${proven === 1 ? 'is' : 'are'} proven restorable.`
  return `${text}${text.endsWith('.') ? '' : '.'} ${proof}`
}
