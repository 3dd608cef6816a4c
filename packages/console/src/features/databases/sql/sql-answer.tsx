import type { SqlError } from '@bey/contract'
import { Download } from 'lucide-react'
import { downloadText } from '../../../lib/download.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ProgressLine } from '../../../ui/progress-line.tsx'
import { PlanView } from './plan-view.tsx'
import { ResultChartView } from './result-chart-view.tsx'
import { ResultTable } from './result-table.tsx'
import { asCsv, asJson, missingText, resultText } from './result-text.ts'
import type { SqlAnswer, SqlAnswers, SqlView, useSqlRun } from './use-sql-run.ts'

interface SqlAnswerProps {
  answers: SqlAnswers
  onShow: (view: SqlView) => void
  /** The name of the database, of which files are named. */
  database: string
  running: ReturnType<typeof useSqlRun>['running']
}

const views = [
  ['result', 'Result'],
  ['plan', 'Plan'],
  ['chart', 'Chart'],
] as const

/** Rows, plan or error of what was executed last. While the next one runs, they stay. */
export function SqlAnswerView({ answers, onShow, database, running }: SqlAnswerProps) {
  const shown = answers.shown ?? 'result'
  const result = answers.result?.kind === 'result' ? answers.result.result : undefined
  const hasRows = result !== undefined && result.error === null && result.columns.length > 0
  return (
    <section aria-label="Answer" className="relative">
      <ProgressLine active={running !== undefined} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line pr-(--gutter) pl-3">
        <nav aria-label="Views of the answer" className="-mb-px flex">
          {views.map(([view, label]) => (
            <button
              key={view}
              type="button"
              aria-current={view === shown ? 'true' : undefined}
              onClick={() => onShow(view)}
              className={cx(
                'h-9 border-b-2 px-2 font-medium -outline-offset-2',
                view === shown ? 'border-accent' : 'border-transparent text-text-2 hover:text-text',
              )}
            >
              {label}
            </button>
          ))}
        </nav>
        <output className="min-w-0 flex-1 text-right text-small text-text-2 tabular-nums">
          {running === undefined
            ? shown !== 'plan' && result?.error === null
              ? resultText(result)
              : ''
            : 'Running …'}
        </output>
        {hasRows && shown !== 'plan' ? (
          <span className="flex gap-2">
            <Button
              size="small"
              variant="ghost"
              icon={<Download size={14} aria-hidden />}
              onClick={() => downloadText(`${database}.csv`, asCsv(result), 'text/csv')}
            >
              CSV
            </Button>
            <Button
              size="small"
              variant="ghost"
              icon={<Download size={14} aria-hidden />}
              onClick={() => downloadText(`${database}.json`, asJson(result), 'application/json')}
            >
              JSON
            </Button>
          </span>
        ) : null}
      </div>
      <div className={running === undefined ? undefined : 'opacity-60'}>
        {shown === 'plan' ? (
          <Plan answer={answers.plan} />
        ) : shown === 'chart' && result?.error === null ? (
          <ResultChartView result={result} />
        ) : (
          <Result answer={answers.result} />
        )}
      </div>
    </section>
  )
}

function Plan({ answer }: { answer: SqlAnswer | undefined }) {
  if (answer === undefined) {
    return (
      <Nothing text="No plan was asked for yet. Explain shows how PostgreSQL would execute the statement." />
    )
  }
  if (answer.kind === 'failure') return <ErrorState {...answer.error} />
  if (answer.kind !== 'plan') return null
  const { plan, wasExecuted } = answer
  return plan.error ? <Refused error={plan.error} /> : <PlanView plan={plan} wasExecuted={wasExecuted} />
}

function Result({ answer }: { answer: SqlAnswer | undefined }) {
  if (answer === undefined) return <Nothing text="Nothing was run yet." />
  if (answer.kind === 'failure') return <ErrorState {...answer.error} />
  if (answer.kind !== 'result') return null
  const { result } = answer
  if (result.error) return <Refused error={result.error} />
  const missing = missingText(result)
  return (
    <>
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
    </>
  )
}

const Nothing = ({ text }: { text: string }) => <p className="px-(--gutter) py-4 text-text-2">{text}</p>

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
