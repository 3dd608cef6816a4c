import { parameterizeSql } from '@bey/contract'
import { Info } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSqlEstimate } from '../../../data/database-sql.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { Link } from '../../../ui/link.tsx'
import { estimateText, unplannedText } from './estimate-text.ts'
import type { ParameterValues } from './parameter-fields.tsx'

/** After this pause in typing the planner is asked. */
const pauseMs = 600

interface EstimateLineProps {
  databaseId: string
  statement: string
  values: ParameterValues
  isWriting: boolean
  /** Rows after which the console stops reading. */
  maxRows: number
  /** Why nothing can be asked now. */
  away: string | undefined
}

/** What the statement would read and change, as the planner of the server sees it; nothing is executed for it. */
export function EstimateLine({ databaseId, away, isWriting, maxRows, ...now }: EstimateLineProps) {
  const { statement, values } = useSettled(now)
  const { names, refusal } = parameterizeSql(statement)
  const parameters = names.flatMap((name) => {
    const value = values[name]
    return value === undefined || value === '' ? [] : [{ name, value }]
  })
  const isAsked = away === undefined && statement.trim() !== '' && refusal === undefined
  const mode = isWriting ? 'write' : 'read'
  const { data, error } = useSqlEstimate(
    databaseId,
    isAsked ? { statement: statement.trim(), parameters, mode, maxRows } : undefined,
  )
  const text =
    data === undefined || data.error !== null ? undefined : estimateText(data, isWriting, missing())
  return (
    <p className="flex min-w-0 flex-1 basis-80 items-start gap-2" aria-live="polite">
      <Info size={14} aria-hidden className="mt-[3px] shrink-0 text-info" />
      <span className="min-w-0 [overflow-wrap:anywhere] text-text-2">
        {text === undefined ? (
          sentence()
        ) : (
          <>
            <strong className="font-medium text-text">{`Before you run it: ${text.lead}`}</strong> {text.rest}
          </>
        )}
        {data === undefined || data.advice.length === 0 ? null : (
          <>
            {' '}
            <Link
              href={databaseHref(databaseId, 'advice')}
              className="underline hover:text-accent-text"
              data-tooltip={data.advice.map(({ title }) => title).join(', ')}
            >
              {`${formatCount(data.advice.length, 'index', 'indexes')} would help`}
            </Link>
          </>
        )}
      </span>
    </p>
  )

  function missing(): string[] {
    return names.filter((name) => !parameters.some((each) => each.name === name))
  }

  function sentence(): string {
    if (away !== undefined) return away
    if (refusal !== undefined) return refusal
    if (data?.error) return unplannedText(data.error.message, data.error.code, statement)
    if (error !== null) return `Not known before it runs: ${causeOf(error)}`
    if (!isAsked) return 'What a statement reads and changes stands here before it runs.'
    return 'Asking the planner …'
  }
}

/** What stood still for a moment: the planner is not asked at each key. */
function useSettled<T extends { statement: string; values: ParameterValues }>({ statement, values }: T) {
  const [settled, setSettled] = useState({ statement, values })
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ statement, values }), pauseMs)
    return () => clearTimeout(timer)
  }, [statement, values])
  return settled
}
