import type { DatabaseSession, LockNode } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useId, useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Input } from '../../../ui/input.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toast.ts'
import { rollbackText } from './session-text.ts'

type Act = 'cancel' | 'end'

/** What can be done with one session, what each would free, and what would be lost. */
export function EndSessionForm({
  databaseId,
  node,
  onDone,
}: {
  databaseId: string
  node: LockNode<DatabaseSession>
  onDone: () => void
}) {
  const { session, frees } = node
  const { pid, identity, state, client } = session
  const usual: Act = state === 'active' && session.blockedBy.length > 0 ? 'cancel' : 'end'
  const [act, setAct] = useState<Act>(usual)
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const denied = deniedReason(useRole(), 'databases.endSessions')
  const stale = useStaleReason()
  const cancel = useChange('databases.cancelSession')
  const end = useChange('databases.endSession')
  const reasonId = useId()
  const refusal =
    denied ??
    stale ??
    (identity === null
      ? 'The user of the connection does not see this session (pg_monitor is missing).'
      : undefined)
  const label = act === 'end' ? `End session ${pid}` : `Cancel the statement of ${pid}`

  function submit(): void {
    if (refusal !== undefined || identity === null) return
    if (act === 'end' && reason.trim().length < 3) {
      setProblem('Enter a reason for the audit log.')
      return
    }
    setProblem(undefined)
    const done = {
      onSuccess: ({ isDone }: { isDone: boolean }) => {
        if (isDone) toast('success', act === 'end' ? `Session ${pid} ended` : `Statement of ${pid} cancelled`)
        else toast('error', `Session ${pid} was asked to stop but is still running`)
        onDone()
      },
      onError: (error: unknown) => setProblem(causeOf(error)),
    }
    const input = { params: { id: databaseId, pid }, body: { identity, reason: reason.trim() } }
    if (act === 'end') end.mutate(input, done)
    else cancel.mutate(input, done)
  }

  return (
    <Section title="How to end it" aside="written to the audit log">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="flex flex-col gap-3"
      >
        <fieldset className="overflow-hidden rounded-card border border-line">
          <legend className="sr-only">{`What to do with ${client}, pid ${pid}`}</legend>
          <Choice
            title="Cancel its statement"
            detail={
              state === 'active'
                ? 'the transaction fails, the session stays'
                : 'has none: it is idle. This would change nothing.'
            }
            aside={state === 'active' ? `frees ${frees}` : 'frees 0'}
            isChosen={act === 'cancel'}
            onChoose={() => setAct('cancel')}
          />
          <Choice
            title="End its session"
            detail={`${rollbackText(session)}; the client has to connect again`}
            aside={`frees ${frees}`}
            isChosen={act === 'end'}
            onChoose={() => setAct('end')}
          />
        </fieldset>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            variant={act === 'end' ? 'danger' : 'primary'}
            disabledReason={refusal}
            busy={end.isPending || cancel.isPending}
          >
            {label}
          </Button>
          <label htmlFor={reasonId} className="sr-only">
            Reason for the audit log
          </label>
          <Input
            id={reasonId}
            value={reason}
            maxLength={500}
            placeholder={act === 'end' ? 'Reason for the audit log' : 'Reason for the audit log (optional)'}
            aria-invalid={problem === undefined ? undefined : true}
            onChange={(event) => setReason(event.target.value)}
            className="max-w-72"
          />
          {denied === undefined ? null : <span className="text-small text-text-2">{denied}</span>}
        </div>
        <p role="alert" className={cx('text-danger', problem === undefined && 'hidden')}>
          {problem}
        </p>
      </form>
    </Section>
  )
}

function Choice(props: {
  title: string
  detail: string
  aside: string
  isChosen: boolean
  onChoose: () => void
}) {
  const { title, detail, aside, isChosen, onChoose } = props
  return (
    <label
      className={cx(
        'grid cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border-line px-3 py-2 not-first:border-t sm:grid-cols-[auto_11rem_minmax(0,1fr)_auto]',
        isChosen && 'bg-accent-soft',
      )}
    >
      <input type="radio" name="session-act" checked={isChosen} onChange={onChoose} className="size-4" />
      <span className="font-medium">{title}</span>
      <span className="text-text-2 max-sm:order-last max-sm:col-span-2 max-sm:col-start-2">{detail}</span>
      <span className="text-right whitespace-nowrap text-text-2 tabular-nums">{aside}</span>
    </label>
  )
}
