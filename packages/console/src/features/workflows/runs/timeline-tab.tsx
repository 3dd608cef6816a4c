import { useMemo, useState } from 'react'
import { GanttLegend } from '../../../entities/runs/gantt/gantt-legend.tsx'
import { GanttView } from '../../../entities/runs/gantt/gantt-view.tsx'
import { GanttZoom, useGanttZoom } from './gantt/gantt-zoom.tsx'
import { ganttOf } from '../../../entities/runs/gantt/gantt.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { RunTabProps } from './run-page.tsx'
import { StepPanel } from './step-panel.tsx'
import { useShownStep } from './use-shown-step.ts'

/** The steps of a run along time, and below them the step that was chosen. */
export function TimelineTab({ detail, runLocation, now }: RunTabProps) {
  const whole = useMemo(() => ganttOf(detail, now), [detail, now])
  const step = useShownStep(detail, runLocation)
  // The list does not follow the run while somebody reads it.
  const [first] = useState(step?.key)
  const zoom = useGanttZoom(whole, step?.key)
  if (detail.steps.length === 0) return <NoSteps />
  return (
    <>
      <GanttView
        label="Steps along time"
        gantt={zoom.gantt}
        selected={step?.key}
        revealed={runLocation.step ?? first}
        onSelect={(key) => runLocation.change({ step: key })}
      />
      <GanttLegend gantt={whole}>
        <GanttZoom zoom={zoom} />
      </GanttLegend>
      <StepPanel detail={detail} step={step} runLocation={runLocation} now={now} />
    </>
  )
}

/** A run that was queued a moment ago, or a workflow without steps. */
export function NoSteps() {
  return (
    <EmptyState
      title="No steps yet"
      description="Steps are listed as soon as the run begins. A workflow without steps completes at once."
    />
  )
}
