import type { SqlError } from '@bey/contract'
import { Download } from 'lucide-react'
import { downloadText } from '../../../lib/download.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PlanView } from './plan-view.tsx'
import { asCsv, asJson, missingText, resultText } from './result-text.ts'
import { ResultTable } from './result-table.tsx'
import type { SqlAnswer } from './use-sql-run.ts'

interface SqlAnswerProps {
  answer: SqlAnswer | undefined
  /** The name of the database, of which files are named. */
  database: string
  isRunning: boolean
}

/** Rows, plan or error of the statement that was executed last. While the next one runs, they stay. */
export function SqlAnswerView({ answer, database, isRunning }: SqlAnswerProps) {
  if (answer === undefined) {
    return (
      <output className="block px-(--gutter) py-4 text-text-2">
        {isRunning ? 'Running …' : 'Nothing was run yet.'}
      </output>
    )
  }
  if (answer.kind === 'failure') return <ErrorState {...answer.error} />
  if (answer.kind === 'plan') {
    const { plan, wasExecuted } = answer
    return plan.error ? <Refused error={plan.error} /> : <PlanView plan={plan} wasExecuted={wasExecuted} />
  }
  const { result } = answer
  if (result.error) return <Refused error={result.error} />
  const missing = missingText(result)
  return (
    <section aria-label="Answer" className={isRunning ? 'opacity-60' : undefined}>
      <div className="flex flex-wrap items-center gap-2 px-(--gutter) py-2">
        <output className="flex-1 tabular-nums">{resultText(result)}</output>
        {result.columns.length > 0 ? (
          <>
            <Button
              size="small"
              icon={<Download size={14} aria-hidden />}
              onClick={() => downloadText(`${database}.csv`, asCsv(result), 'text/csv')}
            >
              CSV
            </Button>
            <Button
              size="small"
              icon={<Download size={14} aria-hidden />}
              onClick={() => downloadText(`${database}.json`, asJson(result), 'application/json')}
            >
              JSON
            </Button>
          </>
        ) : null}
      </div>
      {result.columns.length > 0 ? <ResultTable key={answer.at} result={result} /> : null}
      {missing === undefined ? null : <p className="px-(--gutter) py-2 text-small text-warn">{missing}</p>}
      {result.notices.map((notice, index) => (
        <p
          // Notices have no identity; the list is never changed.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className="px-(--gutter) py-1 font-mono text-small text-text-2"
        >
          {notice}
        </p>
      ))}
    </section>
  )
}

/** What the server said against the statement, in its own words. */
function Refused({ error }: { error: SqlError }) {
  const { message, code, detail, hint, line, column } = error
  const place = line === null ? '' : ` (line ${line}, column ${column ?? 1})`
  return (
    <ErrorState
      title={`${message.charAt(0).toUpperCase()}${message.slice(1)}${place}`}
      detail={
        <>
          {[detail, hint]
            .filter((text) => text !== null)
            .map((text) => (
              <span key={text} className="block">
                {text}
              </span>
            ))}
          <span className="block text-small text-text-3">SQLSTATE {code}</span>
        </>
      }
    />
  )
}
