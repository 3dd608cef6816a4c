import type { EngineStatus } from '@bey/contract'
import { RotateCw } from 'lucide-react'
import { useEngineStatus } from '../../data/engine.ts'
import { formatDuration, formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Identifier } from '../../ui/code-block.tsx'
import { Facts } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { EngineFailure } from './engine-failure.tsx'

/** The engine's own figures, at most 30 s old; Refresh asks anew. */
export function DebuggerEngine() {
  const { data, error, isError, isFetching, refetch } = useEngineStatus()
  return (
    <>
      <Section
        title="Engine Status"
        aside={
          <Button
            size="small"
            icon={<RotateCw size={14} aria-hidden />}
            busy={isFetching}
            onClick={() => void refetch()}
          >
            Refresh
          </Button>
        }
      >
        {isError ? <EngineFailure error={error} /> : null}
        {data ? <Figures status={data} /> : null}
        {!data && !isError ? <p className="text-text-3">Loading engine status...</p> : null}
      </Section>
      {data ? <Statistics status={data} /> : null}
    </>
  )
}

function Figures({ status: { engine, statistics, websocket, queue } }: { status: EngineStatus }) {
  const isRunning = engine.status === 'running'
  return (
    <Facts
      layout="columns"
      facts={[
        {
          label: 'Status',
          value: <span className={isRunning ? 'text-ok' : 'text-danger'}>{engine.status}</span>,
        },
        { label: 'Version', value: engine.version },
        { label: 'Started', value: <RelativeTime at={engine.startTime} /> },
        {
          label: 'Active workflows',
          value: `${formatNumber(engine.currentActiveWorkflows)} of ${formatNumber(engine.maxConcurrentWorkflows)}`,
        },
        { label: 'Total workflows', value: formatNumber(statistics.totalWorkflows) },
        {
          label: 'WebSocket',
          value: websocket.enabled ? 'enabled' : <span className="text-danger">disabled</span>,
        },
        {
          label: 'Queue',
          value:
            queue.depth === 0
              ? 'empty'
              : `${formatNumber(queue.depth)} waiting, the oldest for ${formatDuration(queue.oldestMs)}`,
        },
      ]}
    />
  )
}

/** The server counts to 1,000. */
function countText(count: number): string {
  return count > 1_000 ? 'more than 1,000' : formatNumber(count)
}

function Statistics({ status: { statistics, activeWorkflows } }: { status: EngineStatus }) {
  const counts = Object.entries(statistics.workflowsByStatus)
  return (
    <>
      <Section title="Workflow Statistics">
        {counts.length === 0 ? <p className="text-text-3">No workflow has run yet.</p> : null}
        <ul aria-label="Runs by status" className="flex flex-wrap gap-x-6 gap-y-1.5">
          {counts.map(([status, count]) => (
            <li key={status} className="flex items-center gap-2">
              <Status status={status} />
              <span className="font-medium tabular-nums">{countText(count)}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Currently Running Workflows">
        {activeWorkflows.length === 0 ? <p className="text-text-3">No workflow is running.</p> : null}
        <ul aria-label="Running workflows" className="divide-y divide-line">
          {activeWorkflows.map(({ id, type, status, createdAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
              <span className="font-medium">{type}</span>
              <Identifier value={id} />
              <Status status={status} />
              <span className="ml-auto text-text-2">
                <RelativeTime at={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

/** The processes that share the work. */
export function DebuggerWorkers() {
  const { data } = useEngineStatus()
  if (!data) return null
  return (
    <Section title="Workers">
      <ul aria-label="Workers" className="divide-y divide-line">
        {data.workers.length === 0 ? (
          <p className="text-danger">No worker is running: runs wait in the queue until one is started.</p>
        ) : null}
        {data.workers.map(({ id, isThisOne, role, startedAt, heartbeatAt, activeRuns, maxRuns }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
            <Identifier value={id} />
            {isThisOne ? <Badge>answers here</Badge> : null}
            {role === 'worker' ? <Badge>worker</Badge> : null}
            <span className="tabular-nums">
              {formatNumber(activeRuns)} {activeRuns === 1 ? 'run' : 'runs'}, at most {formatNumber(maxRuns)}{' '}
              at once
            </span>
            <span className="ml-auto text-text-2">
              started <RelativeTime at={startedAt} />, seen <RelativeTime at={heartbeatAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What can carry out the steps of a workflow. */
export function DebuggerExecutors() {
  const { data } = useEngineStatus()
  if (!data) return null
  const { executors } = data
  return (
    <Section title="Registered Step Executors">
      <div className="flex flex-wrap items-center gap-1.5">
        {executors.registered.map((name) => (
          <Badge key={name}>{name}</Badge>
        ))}
        {executors.registered.length === 0 ? <span className="text-text-3">None is registered.</span> : null}
      </div>
      <p className="mt-2 text-text-2">
        Executor type: <span className="text-text">{executors.type}</span>
      </p>
    </Section>
  )
}
