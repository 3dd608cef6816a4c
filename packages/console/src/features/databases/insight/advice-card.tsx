import type { DatabaseAdvice } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useId, useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Input } from '../../../ui/input.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { formatMs } from '../sql/result-text.ts'
import { prepareStatement } from '../sql/sql-drafts.ts'
import { statementLine } from './statement-text.ts'

interface AdviceCardProps {
  databaseId: string
  advice: DatabaseAdvice
  /** It was decided against, or taken up again. */
  onChange: () => void
  isDismissing: boolean
  onDismissing: (isOpen: boolean) => void
}

/** One piece of advice with its figures; once it was executed, with what it brought. */
export function AdviceCard({ databaseId, advice, onChange, isDismissing, onDismissing }: AdviceCardProps) {
  const { key, title, detail, evidence, sql, state, dismissed, executedAt, effects } = advice
  const role = useRole()
  const stale = useStaleReason()
  const dismiss = useChange('databases.dismissAdvice')
  const refusal = stale ?? deniedReason(role, 'databases.update')
  const params = { id: databaseId }
  return (
    <li className="rounded-card border border-line p-4">
      <h3 className="font-medium">{title}</h3>
      <p className="mt-1 text-text-2">{detail}</p>
      {executedAt === null ? null : (
        <div className="mt-3">
          <p className="text-small text-text-2">
            Executed <RelativeTime at={executedAt} />
          </p>
          <Effects effects={effects} />
        </div>
      )}
      {state === 'done' ? null : (
        <div className="mt-3 grid items-start gap-x-6 gap-y-3 lg:grid-cols-2">
          {sql === null ? null : <CodeBlock label={`Statement: ${title}`} text={sql} />}
          <Facts facts={evidence} />
        </div>
      )}
      {dismissed === null || state === 'done' ? null : (
        <p className="mt-3 text-text-2">
          {`Dismissed by ${dismissed.by}: ${dismissed.reason} · `}
          <RelativeTime at={dismissed.at} />
        </p>
      )}
      {state === 'done' ? null : (
        <div className="mt-3 flex flex-wrap gap-2">
          {sql === null ? null : (
            <ButtonLink
              size="small"
              href={databaseHref(databaseId, 'sql')}
              onClick={() => prepareStatement(databaseId, sql, true)}
            >
              Open in SQL
            </ButtonLink>
          )}
          {state === 'open' ? (
            <Button
              size="small"
              variant="ghost"
              disabledReason={refusal}
              aria-expanded={isDismissing}
              onClick={() => onDismissing(!isDismissing)}
            >
              Dismiss…
            </Button>
          ) : (
            <Button
              size="small"
              variant="ghost"
              disabledReason={refusal}
              busy={dismiss.isPending}
              onClick={() => dismiss.mutate({ params, body: { key, reason: null } }, { onSuccess: onChange })}
            >
              Restore
            </Button>
          )}
        </div>
      )}
      {isDismissing && state === 'open' ? (
        <DismissForm
          isBusy={dismiss.isPending}
          problem={dismiss.isError ? causeOf(dismiss.error) : undefined}
          onSubmit={(reason) =>
            dismiss.mutate(
              { params, body: { key, reason } },
              {
                onSuccess: () => {
                  onDismissing(false)
                  onChange()
                },
              },
            )
          }
        />
      ) : null}
    </li>
  )
}

function DismissForm(props: {
  isBusy: boolean
  problem: string | undefined
  onSubmit: (reason: string) => void
}) {
  const [reason, setReason] = useState('')
  const id = useId()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit(reason.trim())
      }}
      className="mt-3 flex flex-wrap items-center gap-2"
    >
      <label htmlFor={id} className="text-text-2">
        Reason, shown to other members
      </label>
      <Input
        id={id}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.target.value)}
        className="max-w-96"
      />
      <Button type="submit" size="small" busy={props.isBusy}>
        Dismiss
      </Button>
      {props.problem === undefined ? null : (
        <p role="alert" className="basis-full text-danger">
          {props.problem}
        </p>
      )}
    </form>
  )
}

/** Means before and after, as the server counted them. */
function Effects({ effects }: Pick<DatabaseAdvice, 'effects'>) {
  if (effects.length === 0) return <p className="text-text-2">No statement is known that it changes.</p>
  return (
    <ul aria-label="Effect" className="mt-1 divide-y divide-line">
      {effects.map(({ queryId, text, beforeMs, afterMs }) => (
        <li key={queryId} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1">
          <code className="min-w-0 flex-1 basis-72 truncate font-mono text-small" title={text.slice(0, 500)}>
            {statementLine(text)}
          </code>
          <span className="tabular-nums">
            {beforeMs === null ? '—' : formatMs(beforeMs)} →{' '}
            <strong className="font-medium">
              {afterMs === null ? 'has not run since' : formatMs(afterMs)}
            </strong>
            {gainText(beforeMs, afterMs)}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** ", 40 × faster". */
function gainText(before: number | null, after: number | null): string {
  if (before === null || after === null || after === 0) return ''
  const factor = before / after
  if (factor >= 1.1) return `, ${formatNumber(Number(factor.toFixed(factor < 10 ? 1 : 0)))} × faster`
  return factor <= 0.9 ? `, ${formatNumber(Number((1 / factor).toFixed(1)))} × slower` : ', as before'
}
