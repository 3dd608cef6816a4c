import { mcpBounds } from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { AppError } from '../../platform/errors.ts'
import type { Plan } from './tool.ts'

type Kept = { tool: string; input: string; plan: Plan; expiresAtMs: number }

export type Plans = {
  /** Keeps a plan for a call with this input, and answers its id. */
  keep(tool: string, input: object, plan: Plan): string
  /**
   * Takes the plan with an id away, so that nothing carries it out a second time. Throws AppError where it is gone, or was
   * made for another call.
   */
  take(id: string, tool: string, input: object): Plan
}

/** Plans of one session: each is for one call, carried out once, and gone after a quarter of an hour. */
export function createPlans(clock: Pick<Clock, 'monotonicMs'>): Plans {
  const kept = new Map<string, Kept>()
  return {
    keep(tool, input, plan) {
      const nowMs = clock.monotonicMs()
      for (const [id, { expiresAtMs }] of kept) if (expiresAtMs <= nowMs) kept.delete(id)
      const [oldest] = kept.keys()
      if (kept.size >= mcpBounds.plansPerSession && oldest !== undefined) kept.delete(oldest)
      const id = uuidv7()
      kept.set(id, {
        tool,
        input: JSON.stringify(input),
        plan,
        expiresAtMs: nowMs + mcpBounds.planMinutes * 60_000,
      })
      return id
    },
    take(id, tool, input) {
      const found = kept.get(id)
      if (found === undefined || found.expiresAtMs <= clock.monotonicMs())
        throw new AppError(
          'not_found',
          `There is no plan "${id}" in this session: it was carried out already, or is older than ${mcpBounds.planMinutes} minutes. Call ${tool} without plan for a new one.`,
        )
      if (found.tool !== tool || found.input !== JSON.stringify(input))
        throw new AppError(
          'conflict',
          `The plan "${id}" is for another call: ${found.tool} ${found.input}. Repeat that call with the plan, or call ${tool} without plan for a new one.`,
        )
      kept.delete(id)
      return found.plan
    },
  }
}
