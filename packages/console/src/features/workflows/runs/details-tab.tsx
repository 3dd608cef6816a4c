import { EntityLink } from '../../../entities/entity-link.tsx'
import { formatElapsed } from '../../../lib/format.ts'
import { runHref, runTitle, triggerText } from '../../../lib/run-text.ts'
import { CodeBlock, Identifier } from '../../../ui/code-block.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { Status } from '../../../ui/status.tsx'
import { TableCard } from '../../../ui/table-card.tsx'
import type { RunTabProps } from './run-page.tsx'
import { actorText } from '@bey/contract'

const linkClass = 'underline hover:text-accent-text'

/** What went into a run and what came out of it, who started it, and the runs that belong to it. */
export function DetailsTab({ detail, now }: RunTabProps) {
  const { run } = detail
  return (
    <div className="flex flex-col gap-6 px-(--gutter) py-6">
      {run.error ? <Notice tone="danger" title={run.error.message} /> : null}
      <div className="grid gap-6 lg:grid-cols-2">
        <Section title="Input">
          <CodeBlock label="Input of the run" text={JSON.stringify(run.input, undefined, 2)} />
        </Section>
        <Section title="Output">
          {run.output === null ? (
            <p className="text-text-3">
              {run.finishedAt ? 'This run gave no output.' : 'Available once the run has completed.'}
            </p>
          ) : (
            <CodeBlock label="Output of the run" text={JSON.stringify(run.output, undefined, 2)} />
          )}
        </Section>
      </div>
      <Section title="Facts">
        <Facts
          layout="columns"
          facts={[
            {
              label: 'Works on',
              value: run.subject ? (
                <EntityLink entity={run.subject} className={linkClass}>
                  {run.subject.name}
                </EntityLink>
              ) : (
                '—'
              ),
            },
            {
              label: 'Trigger',
              value: [triggerText(run.trigger), run.triggerName].filter(Boolean).join(': '),
            },
            { label: 'Started by', value: actorText(run.createdBy) },
            { label: 'Queued', value: <RelativeTime at={run.queuedAt} /> },
            { label: 'Started', value: <RelativeTime at={run.startedAt} /> },
            { label: 'Ended', value: <RelativeTime at={run.finishedAt} /> },
            { label: 'Duration', value: formatElapsed(run.startedAt, run.finishedAt, now) },
            { label: 'Time-out', value: <RelativeTime at={run.deadlineAt} /> },
            { label: 'Version', value: run.version ?? 'built in' },
            { label: 'Priority', value: run.priority },
            { label: 'Run', value: <Identifier value={run.id} keep={6} label="Copy run id" /> },
          ]}
        />
      </Section>
      <RelatedRuns {...detail} />
    </div>
  )
}

function RelatedRuns({ run, children, retries }: RunTabProps['detail']) {
  const rows = [
    ...(run.parent
      ? [{ what: `The run whose step ${run.parent.stepKey} started this one`, ...run.parent }]
      : []),
    ...(run.retryOf
      ? [{ what: 'The run that this one retries', workflowId: run.workflowId, runId: run.retryOf }]
      : []),
    ...retries.map((each) => ({ what: 'Retries this run', ...each })),
    ...children.map((child) => ({
      what: `Started by ${child.parent?.stepKey ?? 'a step'}: ${runTitle(child)}`,
      workflowId: child.workflowId,
      runId: child.id,
      status: child.status,
    })),
  ]
  if (rows.length === 0) return null
  return (
    <Section title="Related runs">
      <TableCard>
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <li
              key={`${row.what} ${row.runId}`}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2"
            >
              <Link href={runHref(row)} className={linkClass}>
                {row.what}
              </Link>
              {'status' in row && row.status ? <Status of="run" status={row.status} /> : null}
              <Identifier value={row.runId} keep={6} label="Copy run id" />
            </li>
          ))}
        </ul>
      </TableCard>
    </Section>
  )
}
