import { laterPart } from '../../../lib/later-part.tsx'
import type { RunTabProps } from './run-page.tsx'
import { StepPanel } from './step-panel.tsx'
import { NoSteps } from './timeline-tab.tsx'
import { useShownStep } from './use-shown-step.ts'

// The library of graphs is heavy, and other tabs do without it. Without `Suspense`: React holds back what follows a
// fallback for up to 300 ms.
const [RunGraph, loadRunGraph] = laterPart(async () => (await import('./run-graph.tsx')).RunGraph)
export { loadRunGraph }

/** The steps of a run as a graph, those that have not begun too, and below it the step that was chosen. */
export function GraphTab({ detail, runLocation, now }: RunTabProps) {
  const step = useShownStep(detail, runLocation)
  if (detail.steps.length === 0) return <NoSteps />
  return (
    <>
      <div className="h-[17.5rem] shrink-0 border-b border-line">
        <RunGraph
          detail={detail}
          now={now}
          selected={step?.key}
          chosen={runLocation.step}
          onSelect={(key) => runLocation.change({ step: key })}
        />
      </div>
      <StepPanel detail={detail} step={step} runLocation={runLocation} now={now} />
    </>
  )
}
