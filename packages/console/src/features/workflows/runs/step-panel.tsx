import type { StepRun } from '@bey/contract'
import { isRunOver } from '@bey/contract'
import { useMemo } from 'react'
import { useStep } from '../../../data/run-steps.ts'
import type { RunDetail } from '../../../data/workflows.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { FilteredLog } from './filtered-log.tsx'
import { LogToolbar } from './log-toolbar.tsx'
import type { RunLocation, StepPart } from './run-location.ts'
import { StepAttempts } from './step-attempts.tsx'
import { StepFacts } from './step-facts.tsx'
import { StepItems } from './step-items.tsx'
import { StepParts } from './step-parts.tsx'
import { isAsking } from './waiting-panes.tsx'

export interface StepPanelProps {
  detail: RunDetail
  step: StepRun | undefined
  runLocation: RunLocation
  now: number
}

/** One step: what there is to know of it, and beside that its log, input, output and attempts. */
export function StepPanel({ detail, step, runLocation, now }: StepPanelProps) {
  const { run } = detail
  const stepKey = step?.key
  const reply = useStep(run.workflowId, run.id, stepKey)
  const filter = useMemo(
    () => ({
      ...(stepKey === undefined ? {} : { stepKey }),
      ...(runLocation.level === 'debug' ? {} : { level: runLocation.level }),
      ...(runLocation.search === '' ? {} : { search: runLocation.search }),
    }),
    [stepKey, runLocation.level, runLocation.search],
  )
  const items = useMemo(
    () => detail.steps.filter(({ parentKey }) => parentKey !== null && parentKey === stepKey),
    [detail.steps, stepKey],
  )
  if (!step) return null
  const asked = runLocation.part ?? 'items'
  const part = asked === 'items' && items.length === 0 ? 'log' : asked
  const known = reply.data?.step.key === step.key ? reply.data : undefined
  // Its decision stands beside it, and it writes no log.
  if (isAsking(step)) {
    return (
      <section aria-label={`Step ${step.name}`}>
        <StepFacts detail={detail} step={step} now={now} attempts={known?.attempts} />
      </section>
    )
  }
  return (
    <section
      aria-label={`Step ${step.name}`}
      className="grid shrink-0 grow lg:grid-cols-[19.5rem_minmax(0,1fr)] lg:divide-x lg:divide-line"
    >
      <StepFacts detail={detail} step={step} now={now} attempts={known?.attempts} />
      <div className="flex min-w-0 flex-col max-lg:border-t max-lg:border-line">
        <StepParts
          part={part}
          items={items.length}
          attempts={Math.max(step.attempt, known?.attempts.length ?? 0)}
          onChange={(next) => runLocation.change({ part: next })}
          toolbar={
            part === 'log' ? (
              <LogToolbar
                runLocation={runLocation}
                workflowId={run.workflowId}
                runId={run.id}
                stepKey={step.key}
              />
            ) : null
          }
        />
        {part === 'items' ? (
          <StepItems items={items} now={now} onOpen={(key) => runLocation.change({ step: key })} />
        ) : part === 'log' ? (
          <FilteredLog
            key={JSON.stringify(filter)}
            label={`Log of ${step.name}`}
            workflowId={run.workflowId}
            runId={run.id}
            filter={filter}
            isLive={!isRunOver(run.status) && step.finishedAt === null}
            className="min-h-[23rem] flex-1 basis-[23rem]"
          />
        ) : known ? (
          <div className="px-(--gutter) py-4">
            <Part part={part} known={known} />
          </div>
        ) : reply.error ? (
          <p role="alert" className="px-(--gutter) py-4 text-danger">
            Failed to fetch the step: {causeOf(reply.error)}
          </p>
        ) : (
          <DelayedSkeleton>
            <Skeleton className="m-6 h-40" />
          </DelayedSkeleton>
        )}
      </div>
    </section>
  )
}

function Part({
  part,
  known,
}: {
  part: Exclude<StepPart, 'items' | 'log'>
  known: NonNullable<ReturnType<typeof useStep>['data']>
}) {
  switch (part) {
    case 'input':
      return <Payload label="Input" value={known.input} absent="This step took no input." />
    case 'output':
      return (
        <Payload
          label="Output"
          value={known.output}
          absent={
            known.step.finishedAt ? 'This step gave no output.' : 'Available once the step has succeeded.'
          }
        />
      )
    case 'attempts':
      return <StepAttempts attempts={known.attempts} />
  }
}

function Payload({ label, value, absent }: { label: string; value: unknown; absent: string }) {
  if (value === null || value === undefined) return <p className="text-text-3">{absent}</p>
  return (
    <div className="flex flex-col gap-2">
      <CodeBlock label={label} text={JSON.stringify(value, undefined, 2)} maxHeight="20rem" />
      <p className="text-small text-text-3">Values of secrets are hidden here and in downloads.</p>
    </div>
  )
}
