import type { DatabaseStatement } from '@bey/contract'
import { formatCount, formatNumber, formatPercent } from '../../../lib/format.ts'
import type { AdviceByStatement } from './statement-filter.ts'
import { slowerFrom } from './statement-text.ts'

interface StatementLeadProps {
  statements: readonly DatabaseStatement[]
  advice: AdviceByStatement
  noun: string
  /** The range that they are compared with: "hour". */
  before: string
}

/** How many became slower, what the heaviest of them costs, and whether an index would help; nothing where none did. */
export function StatementLead({ statements, advice, noun, before }: StatementLeadProps) {
  const slower = statements.filter(({ change }) => (change ?? 0) >= slowerFrom)
  const [worst] = slower.toSorted((a, b) => b.totalMs - a.totalMs)
  if (worst === undefined) return null
  const factor = formatNumber(Number((worst.change ?? 0).toFixed(1)))
  const helps = advice.get(worst.queryId)?.[0]
  return (
    <p className="px-(--gutter) pt-4">
      <strong className="font-medium text-warn">
        {slower.length === 1
          ? `1 of ${formatCount(statements.length, noun)} got ${factor} times slower`
          : `${formatNumber(slower.length)} of ${formatCount(statements.length, noun)} got slower, the heaviest ${factor} times`}
      </strong>
      {` than in the ${before} before; it makes ${formatPercent(worst.share)} of the time of all.`}
      {helps === undefined ? null : (
        <strong className="font-medium">{` ${helps.title}: that index would help.`}</strong>
      )}
    </p>
  )
}
