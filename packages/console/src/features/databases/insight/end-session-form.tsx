import type { DatabaseSession, LockNode } from '@bey/contract'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Input } from '../../../ui/input.tsx'
import { Section } from '../../../ui/section.tsx'
import { rollbackText } from './session-text.ts'
import type { SessionAct } from './use-session-acts.ts'
import { canCancel, useSessionActs } from './use-session-acts.ts'

type Node = LockNode<DatabaseSession>
type Choice = SessionAct | 'other'

interface EndSessionFormProps {
  databaseId: string
  node: Node
  /** Another session whose statement can be cancelled instead, which frees some of those that wait. */
  other?: Node | undefined
  /** What was asked for in the row; the reason has the focus then. */
  asked?: SessionAct | undefined
  onDone: () => void
}

/** What can be done with one session, what each would free, and what would be lost. */
export function EndSessionForm({ databaseId, node, other, asked, onDone }: EndSessionFormProps) {
  const { session, frees } = node
  const { pid, client } = session
  const usual: SessionAct = canCancel(session) && session.blockedBy.length > 0 ? 'cancel' : 'end'
  const [choice, setChoice] = useState<Choice>(asked ?? usual)
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const acts = useSessionActs(databaseId, onDone)
  const reasonId = useId()
  const input = useRef<HTMLInputElement>(null)
  // Asked for in a row of the tree: what is missing is the reason.
  useEffect(() => {
    if (asked === 'end') input.current?.focus()
  }, [asked])
  const target = choice === 'other' && other ? other.session : session
  const act: SessionAct = choice === 'end' ? 'end' : 'cancel'
  const label = act === 'end' ? `End session ${pid}` : `Cancel the statement of ${target.pid}`

  function submit(): void {
    if (act === 'end' && reason.trim().length < 3) {
      setProblem('Enter a reason for the audit log.')
      return
    }
    setProblem(undefined)
    acts.run(act, target, reason.trim(), setProblem)
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
          <ChoiceRow
            title="Cancel its statement"
            detail={
              canCancel(session)
                ? 'the transaction fails, the session stays'
                : 'has none: it is idle. This would change nothing.'
            }
            aside={canCancel(session) ? `frees ${frees}` : 'frees 0'}
            isChosen={choice === 'cancel'}
            onChoose={() => setChoice('cancel')}
          />
          <ChoiceRow
            title="End its session"
            detail={`${rollbackText(session)}; the client has to connect again`}
            aside={`frees ${frees}`}
            isChosen={choice === 'end'}
            onChoose={() => setChoice('end')}
          />
          {other === undefined ? null : (
            <ChoiceRow
              title={`Cancel ${other.session.pid} only`}
              detail={`the statement of ${other.session.client}; the others go on waiting`}
              aside={`frees ${other.frees}`}
              isChosen={choice === 'other'}
              onChoose={() => setChoice('other')}
            />
          )}
        </fieldset>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            variant={act === 'end' ? 'danger' : 'primary'}
            disabledReason={acts.refusalOf(target)}
            busy={acts.isBusy}
          >
            {label}
          </Button>
          <label htmlFor={reasonId} className="sr-only">
            Reason for the audit log
          </label>
          <Input
            id={reasonId}
            ref={input}
            value={reason}
            maxLength={500}
            placeholder={act === 'end' ? 'Reason for the audit log' : 'Reason for the audit log (optional)'}
            aria-invalid={problem === undefined ? undefined : true}
            onChange={(event) => setReason(event.target.value)}
            className="max-w-72"
          />
          {acts.denied === undefined ? null : <span className="text-small text-text-2">{acts.denied}</span>}
        </div>
        <p role="alert" className={cx('text-danger', problem === undefined && 'hidden')}>
          {problem}
        </p>
      </form>
    </Section>
  )
}

function ChoiceRow(props: {
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
