import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { RunTabProps } from './run-page.tsx'
import { StepPanel } from './step-panel.tsx'
import { NoSteps } from './timeline-tab.tsx'
import { useShownStep } from './use-shown-step.ts'

// The library of graphs is heavy, and other tabs do without it.
const RunGraph = lazy(async () => ({ default: (await import('./run-graph.tsx')).RunGraph }))

/** The steps of a run as a graph, those that have not begun too, and below it the step that was chosen. */
export function GraphTab({ detail, runLocation, now }: RunTabProps) {
  const step = useShownStep(detail, runLocation)
  if (detail.steps.length === 0) return <NoSteps />
  return (
    <>
      <div className="h-[17.5rem] shrink-0 border-b border-line">
        <Suspense fallback={<Skeleton className="h-full w-full" />}>
          <RunGraph
            detail={detail}
            now={now}
            selected={step?.key}
            chosen={runLocation.step}
            onSelect={(key) => runLocation.change({ step: key })}
          />
        </Suspense>
      </div>
      <StepPanel detail={detail} step={step} runLocation={runLocation} now={now} />
    </>
  )
}
