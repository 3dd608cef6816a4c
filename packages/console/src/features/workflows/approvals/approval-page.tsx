import type { Approval } from '@bey/contract'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useFollow } from '../../../data/live.ts'
import { useApproval } from '../../../data/approvals.ts'
import { SchemaFields } from '../../../entities/workflows/schema-form/schema-fields.tsx'
import { failureOf, isMissing } from '../../../lib/failed-query.ts'
import { useNow } from '../../../lib/now.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { runHref } from '../../../lib/run-text.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { DetailPage } from '../../../ui/detail-page.tsx'
import { DiffLines } from '../../../ui/diff-lines.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { Status } from '../../../ui/status.tsx'
import { neededText, planCount, planLines, statusOfApproval, timeoutText } from './approval-text.ts'
import { DecisionBar } from './decision-bar.tsx'
import type { Decision } from './use-decision.ts'
import { useDecision } from './use-decision.ts'
import { actorText } from '@bey/contract'

/** One question of a run: who asks what and why, what will change, and the decision. */
export function ApprovalPage() {
  const { approvalId = '' }: { approvalId?: string } = useParams({ strict: false })
  const query = useApproval(approvalId)
  const approval = query.data?.approval
  usePageTitle(isMissing(query) ? 'Approval not found' : approval?.question)
  useFollow(approval ? { kind: 'workflow', workflowId: approval.workflowId } : undefined)
  return (
    <DetailPage
      noun="approval"
      subject={approval}
      title={approval?.question}
      badges={({ status }) => (
        <Status
          of="run"
          status={statusOfApproval[status]}
          label={status.replaceAll('_', ' ')}
          variant="badge"
        />
      )}
      subtitle={({ requestedBy, requestedAt, workflowName, workflowId, runId, stepKey }) => (
        <>
          <span className="font-medium text-text">{actorText(requestedBy)}</span> asked{' '}
          <RelativeTime at={requestedAt} /> in{' '}
          <Link
            href={`${runHref({ workflowId, runId })}?step=${encodeURIComponent(stepKey)}`}
            className="underline hover:text-accent-text"
          >
            a run of {workflowName}
          </Link>
        </>
      )}
      content={(shown) => <ApprovalBody approval={shown} />}
      missing={
        isMissing(query) && {
          title: 'There is no such approval in this organization',
          action: <ButtonLink href="/workflows/approvals">All approvals</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch the approval', query)}
    />
  )
}

function ApprovalBody({ approval }: { approval: Approval }) {
  const { details, facts, plan, decisions, status, onTimeout, approvers, stepName } = approval
  const now = useNow(status === 'pending')
  const decision = useDecision(approval)
  const lines = planLines(plan)
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex w-full max-w-[46rem] flex-col gap-5 px-(--gutter) py-5">
        {details ? (
          <blockquote className="border-l-2 border-line-strong pl-3.5 break-words whitespace-pre-wrap">
            {details}
          </blockquote>
        ) : null}
        <Facts
          facts={[
            ...facts.map(({ name, value }) => ({ label: name, value })),
            { label: 'Step', value: stepName },
            { label: 'Needs', value: neededText(approval, now) },
            { label: 'Who may decide', value: approvers },
            ...(status === 'pending' && approval.expiresAt
              ? [{ label: 'If nobody decides in time', value: timeoutText(onTimeout) }]
              : []),
          ]}
        />
        {plan ? (
          <Section title="What will change" aside={planCount(lines)}>
            <DiffLines label="Difference" lines={lines} />
          </Section>
        ) : null}
        {decisions.length > 0 ? <Decisions approval={approval} /> : null}
        {decision.isPending && !decision.isDenied ? (
          <DecisionForm form={approval.form} decision={decision} />
        ) : null}
      </div>
      <DecisionBar decision={decision} />
    </div>
  )
}

/** What the approval asks for, and a reason. A field that takes the focus is scrolled clear of the buttons. */
function DecisionForm({ form, decision }: { form: Approval['form']; decision: Decision }) {
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

function Decisions({ approval }: { approval: Approval }) {
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
