import type { Approval } from '@bey/contract'
import { actorText } from '@bey/contract'
import { useEffect, useRef } from 'react'
import { SchemaFields } from '../schema-form/schema-fields.tsx'
import { DiffLines } from '../../../ui/diff-lines.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { planCount, planLines } from './approval-text.ts'
import type { Decision } from './use-decision.ts'

/** What is going to change, as a diff; nothing where the question has no plan. */
export function ApprovalPlan({ plan }: { plan: string }) {
  if (plan === '') return null
  const lines = planLines(plan)
  return (
    <Section title="What will change" aside={planCount(lines)}>
      <DiffLines label="Difference" lines={lines} />
    </Section>
  )
}

/** What the approval asks for, and a reason. A field that takes the focus is scrolled clear of the buttons. */
export function DecisionForm({ form, decision }: { form: Approval['form']; decision: Decision }) {
  const fields = useRef<HTMLDivElement>(null)
  const { attempts, comment, setComment, commentError } = decision
  useEffect(() => {
    if (attempts > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])
  return (
    <Section title="Your decision">
      <div
        ref={fields}
        className="flex flex-col gap-4 [&_:is(input,select,textarea,button)]:scroll-mt-4 [&_:is(input,select,textarea,button)]:scroll-mb-36"
      >
        {form ? (
          <SchemaFields
            schema={form}
            values={decision.values}
            onChange={decision.setValue}
            errorOf={decision.errorOf}
          />
        ) : null}
        <Field label="Reason" aside="needed to reject" error={commentError}>
          {(control) => (
            <Input
              {...control}
              maxLength={1000}
              value={comment}
              onChange={({ target }) => setComment(target.value)}
            />
          )}
        </Field>
      </div>
    </Section>
  )
}

/** What others decided, with their reasons. */
export function Decisions({ approval }: { approval: Approval }) {
  return (
    <Section title="Decided so far">
      <ul className="divide-y divide-line border-y border-line">
        {approval.decisions.map(({ by, at, decision, comment, form }) => (
          <li key={by.id} className="flex flex-col gap-0.5 py-2">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{actorText(by)}</span>
              <span className={decision === 'reject' ? 'text-danger' : 'text-text-2'}>
                {decision === 'approve' ? 'approved' : 'rejected'}
              </span>
              <span className="ml-auto text-small text-text-2">
                <RelativeTime at={at} />
              </span>
            </span>
            {comment ? <span className="break-words text-text-2">{comment}</span> : null}
            {Object.entries(form ?? {}).map(([name, value]) => (
              <span key={name} className="text-small text-text-2">
                {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}
