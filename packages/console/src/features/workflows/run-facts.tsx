import type { Run } from '@bey/contract'
import { isRunOver } from '@bey/contract'
import { EntityLink } from '../../entities/entity-link.tsx'
import { formatElapsed } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { triggerText } from '../../lib/run-text.ts'
import { Identifier } from '../../ui/code-block.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** Who started a run, when, for what, how long it takes, and why it failed. */
export function RunFacts({ run }: { run: Run }) {
  const now = useNow(!isRunOver(run.status))
  return (
    <div className="flex flex-col gap-5">
      {run.error ? (
        <Notice tone="danger" title={run.error.message} actions={null}>
          {run.subject?.type === 'cluster' ? (
            <>
              Everything up to here is kept.{' '}
              <EntityLink entity={run.subject} className="underline hover:text-accent-text">
                Open {run.subject.name}
              </EntityLink>{' '}
              to provision again.
            </>
          ) : null}
        </Notice>
      ) : null}
      <Facts
        layout="columns"
        facts={[
          { label: 'Works on', value: <Subject run={run} /> },
          { label: 'Trigger', value: triggerText(run.trigger) },
          { label: 'Started by', value: run.createdBy.name || 'System' },
          { label: 'Queued', value: <RelativeTime at={run.queuedAt} /> },
          { label: 'Duration', value: formatElapsed(run.startedAt, run.finishedAt, now) },
          { label: 'Run', value: <Identifier value={run.id} keep={6} label="Copy run id" /> },
        ]}
      />
    </div>
  )
}

function Subject({ run }: { run: Run }) {
  if (!run.subject) return <span className="text-text-3">—</span>
  return (
    <EntityLink entity={run.subject} className="underline hover:text-accent-text">
      {run.subject.name}
    </EntityLink>
  )
}
