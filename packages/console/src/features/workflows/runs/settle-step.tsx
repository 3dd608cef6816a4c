import type { Run, StepRun } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { errorMessage } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'

const decisions = [
  { decision: 'happened', label: 'It happened', hint: 'the run goes on after the step' },
  { decision: 'repeat', label: 'Repeat', hint: 'the step begins again' },
  { decision: 'fail', label: 'Fail', hint: 'the step counts as failed' },
] as const

/** Asks a person whether a step happened whose process died in the middle of it. */
export function SettleStep({ run, step }: { run: Run; step: StepRun }) {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const settle = useChange('workflows.settleStep')
  const stale = useStaleReason()
  const refused = deniedReason(useRole(), 'workflows.execute') ?? stale
  const send = (decision: (typeof decisions)[number]['decision']) => {
    setMissing(reason.trim() === '')
    if (reason.trim() === '' || settle.isPending) return
    const params = { id: run.workflowId, runId: run.id, stepKey: step.key }
    settle.mutate({ params, body: { decision, reason: reason.trim() } })
  }
  return (
    <section
      aria-label="Decision"
      data-live-color=""
      className="flex flex-col gap-2.5 rounded-control bg-warn-soft px-3 py-2.5"
    >
      <p>
        <span className="font-medium">Waiting for you: it is not known whether {step.name} happened.</span>{' '}
        <span className="text-text-2">
          Its process died while it was under way. Look at what it acts on, then say so.
        </span>
      </p>
      <Field label="What you saw" error={isMissing && reason.trim() === '' ? 'Say why.' : undefined}>
        {(control) => (
          <Input
            {...control}
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        {decisions.map(({ decision, label, hint }) => (
          <Button
            key={decision}
            size="small"
            disabledReason={refused}
            busy={settle.isPending && settle.variables.body.decision === decision}
            aria-label={`${label}: ${hint}`}
            onClick={() => send(decision)}
          >
            {label}
          </Button>
        ))}
      </div>
      {settle.error ? (
        <p role="alert" className="text-danger">
          {errorMessage(settle.error, 'Failed to decide about the step')}
        </p>
      ) : null}
    </section>
  )
}
