import { isRunOver } from '@bey/contract'
import type { StepRun } from '@bey/contract'
import type { RunDetail } from '../../data/workflows.ts'
import { useNow } from '../../lib/now.ts'
import { runProgress } from '../../lib/run-progress.ts'
import { guaranteeText, sharedGuarantee, stepFigures } from '../../lib/run-text.ts'
import { Section } from '../../ui/section.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import type { RunLocation } from './run-location.ts'

/** The steps of a run; choosing one narrows the log to its lines. */
export function RunSteps({ detail, runLocation }: { detail: RunDetail; runLocation: RunLocation }) {
  const { run, steps } = detail
  const now = useNow(!isRunOver(run.status))
  const done = steps.filter((step) => step.status === 'succeeded').length
  const shared = sharedGuarantee(steps)
  return (
    <Section
      title="Steps"
      aside={
        <span className="tabular-nums">{`${done} of ${steps.length} · ${runProgress(run, steps)}%`}</span>
      }
    >
      <div className="rounded-card border border-line p-1.5">
        <Timeline
          label="Steps"
          steps={steps.map((step) => ({
            key: step.key,
            name: step.name,
            status: step.status,
            figures: stepFigures(step, now),
            detail: stepDetail(step, shared === undefined),
            isSelected: runLocation.step === step.key,
            onSelect: () =>
              runLocation.change({ step: runLocation.step === step.key ? undefined : step.key }),
          }))}
        />
      </div>
      {shared ? <p className="mt-2 text-small text-text-3">{shared}</p> : null}
    </Section>
  )
}

function stepDetail(step: StepRun, isOwnGuarantee: boolean): string | undefined {
  if (step.error) return step.error.message
  const isMoving = step.status === 'running' && step.progressPercent > 0
  const parts = [
    isMoving ? `${Math.round(step.progressPercent)}%` : undefined,
    isOwnGuarantee ? guaranteeText(step.guarantee) : undefined,
  ]
  return parts.filter(Boolean).join(' · ') || undefined
}
