import type { Approval } from '@bey/contract'
import { useState } from 'react'
import { useDecide } from '../../../data/run-actions.ts'
import { useRole, useUser } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { defaultsOf, requiredOf } from '../../../entities/workflows/schema-form/field-schema.ts'
import { SchemaFields } from '../../../entities/workflows/schema-form/schema-fields.tsx'
import { causeOf, fieldErrorsOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'

/** At the thumb: the form, a reason, Reject and Approve, or why the reader may not decide. */
export function DecisionBar({ approval }: { approval: Approval }) {
  const { deniedReason, form, id } = approval
  const [comment, setComment] = useState('')
  const [values, setValues] = useState<Record<string, unknown>>(() => defaultsOf(form))
  const [wasRefused, setRefused] = useState(false)
  const [isMissingReason, setMissingReason] = useState(false)
  const decide = useDecide(id)
  // A decision that waits for the connection could be about something else by then.
  const stale = useStaleReason()
  const reason = deniedReason ?? stale
  const missing = [...requiredOf(form)].filter((name) => values[name] === undefined || values[name] === '')
  const fieldErrors = fieldErrorsOf(decide.error)
  const send = (decision: 'approve' | 'reject') => {
    const isIncomplete = decision === 'approve' && missing.length > 0
    const isUnreasoned = decision === 'reject' && comment.trim() === ''
    setRefused(isIncomplete)
    setMissingReason(isUnreasoned)
    if (isIncomplete || isUnreasoned || decide.isPending) return
    decide.mutate({
      decision,
      comment: comment.trim(),
      ...(form && decision === 'approve' ? { form: values } : {}),
    })
  }
  const errorOf = (name: string) =>
    fieldErrors[`form.${name}`] ?? (wasRefused && missing.includes(name) ? 'Needed to approve.' : undefined)
  const busy = (decision: 'approve' | 'reject') => decide.isPending && decide.variables.decision === decision
  return (
    <section
      aria-label="Decision"
      className="sticky bottom-0 z-10 mt-auto border-t border-line bg-bg px-(--gutter) pt-3 pb-8 shadow-float md:pb-4"
    >
      <div className="flex w-full max-w-[43rem] flex-col gap-3">
        {approval.status === 'pending' ? (
          <>
            {form && deniedReason === null ? (
              <div className="flex max-h-[38vh] flex-col gap-3 overflow-y-auto p-0.5">
                <SchemaFields
                  schema={form}
                  values={values}
                  onChange={(name, value) => setValues((known) => ({ ...known, [name]: value }))}
                  errorOf={errorOf}
                />
              </div>
            ) : null}
            {deniedReason === null ? (
              <Field
                label="Reason"
                aside="needed to reject"
                error={isMissingReason && comment.trim() === '' ? 'Say why you reject it.' : undefined}
              >
                {(control) => (
                  <Input
                    {...control}
                    maxLength={1000}
                    value={comment}
                    onChange={({ target }) => setComment(target.value)}
                  />
                )}
              </Field>
            ) : null}
            <div className="grid grid-cols-2 gap-2 md:flex md:justify-end">
              <Button
                onClick={() => send('reject')}
                busy={busy('reject')}
                disabledReason={reason}
                className="!h-11 !text-danger md:!h-8"
              >
                Reject
              </Button>
              <Button
                variant="primary"
                onClick={() => send('approve')}
                busy={busy('approve')}
                disabledReason={reason}
                className="!h-11 md:!h-8"
              >
                Approve
              </Button>
            </div>
          </>
        ) : null}
        {decide.error ? (
          <p role="alert" className="text-danger">
            {causeOf(decide.error)}
          </p>
        ) : null}
        <p className="text-small text-text-2">{reason ?? <ActsAs />}</p>
      </div>
    </section>
  )
}

/** Under whose name the decision is recorded. */
function ActsAs() {
  const user = useUser()
  const role = useRole()
  return `You act as ${user?.name ?? 'yourself'}, ${role.toLowerCase()}. It is written to the audit log.`
}
