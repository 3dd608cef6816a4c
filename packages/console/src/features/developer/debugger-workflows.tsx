import { useState } from 'react'
import { useList } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { cx } from '../../ui/class-names.ts'
import { Identifier } from '../../ui/code-block.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'

const limit = 10

/** The first workflows, and the newest runs of the one that is chosen. */
export function DebuggerWorkflows() {
  const { data, error, isPending, refetch } = useList('workflows.list', { query: { limit } })
  const [chosenId, setChosenId] = useState<string>()
  const chosen = data?.workflows.find(({ id }) => id === chosenId)
  return (
    <>
      <Section title="Workflows" aside={`the first ${limit}`}>
        {isPending ? <p className="text-text-3">Loading...</p> : null}
        {error ? (
          <ErrorState
            isCompact
            {...errorText('Failed to fetch workflows', error)}
            onRetry={() => void refetch()}
          />
        ) : null}
        {data?.workflows.length === 0 ? <p className="text-text-3">There is no workflow yet.</p> : null}
        <ul aria-label="Workflows" className="divide-y divide-line">
          {data?.workflows.map((workflow) => (
            <li key={workflow.id}>
              <button
                type="button"
                aria-pressed={workflow.id === chosenId}
                onClick={() => setChosenId(workflow.id)}
                className={cx(
                  'flex min-h-9 w-full flex-wrap items-center gap-x-4 px-2 py-1 text-left',
                  workflow.id === chosenId ? 'bg-active' : 'hover:bg-hover',
                )}
              >
                <span className="font-medium">{workflow.name}</span>
                <span className="text-text-2">{workflow.type}</span>
                <span className="ml-auto flex items-center gap-4">
                  <Status of="run" status={workflow.status} />
                  <RelativeTime at={workflow.lastRunAt} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Section>
      {chosen ? <Runs key={chosen.id} workflow={chosen} /> : null}
    </>
  )
}

function Runs({ workflow }: { workflow: { id: string; name: string } }) {
  const { data, error, isPending, refetch } = useList('workflows.runs', {
    params: { id: workflow.id },
    query: { limit },
  })
  return (
    <Section title={`Runs of ${workflow.name}`} aside={`the newest ${limit}`}>
      {isPending ? <p className="text-text-3">Loading...</p> : null}
      {error ? (
        <ErrorState
          isCompact
          {...errorText('Failed to fetch workflow runs', error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {data?.runs.length === 0 ? <p className="text-text-3">It has not run yet.</p> : null}
      <ul aria-label={`Runs of ${workflow.name}`} className="divide-y divide-line">
        {data?.runs.map((run) => (
          <li key={run.id} className="flex min-h-9 flex-wrap items-center gap-x-4 px-2 py-1">
            <Identifier value={run.id} />
            <Status of="run" status={run.status} />
            <span className="ml-auto flex items-center gap-4">
              <RelativeTime at={run.queuedAt} />
              <Link
                href={`/workflows/${workflow.id}/runs/${run.id}`}
                className="font-medium text-accent-text hover:underline"
              >
                Open run
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
