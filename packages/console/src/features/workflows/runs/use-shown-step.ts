import type { StepRun } from '@bey/contract'
import { useMemo } from 'react'
import type { RunDetail } from '../../../data/workflows.ts'
import { stepToShow } from '../../../entities/runs/run-sentence.ts'
import type { RunLocation } from './run-location.ts'

/** The step that the address names, else the one to look at first. */
export function useShownStep({ steps }: RunDetail, { step }: RunLocation): StepRun | undefined {
  return useMemo(() => shownStepOf(steps, { step }), [steps, step])
}

/** The same of steps that were found elsewhere. */
export function shownStepOf(
  steps: readonly StepRun[],
  { step }: Pick<RunLocation, 'step'>,
): StepRun | undefined {
  return steps.find(({ key }) => key === step) ?? stepToShow(steps)
}
