/** Which run, and whose: all that the engine's own tables ever hold. */
export type RunRef = { organizationId: number; runId: string }

/**
 * What the engine does after a step. `next`: the next one. `over`: nothing, the run has ended. `lost`: nothing, for
 * another process holds the run now and nothing was recorded here. `left`: nothing, the step was broken off because
 * `signal` gave EngineStopping. `again`: what is recorded of the run is not what this process took it for, and the
 * run goes on from what is recorded.
 */
export type StepResult = 'next' | 'over' | 'lost' | 'left' | 'again'

/**
 * What the durable loop calls. It is given by the workflows feature, for the engine knows nothing of steps.
 * Each call may be repeated after a crash, so each looks at what is recorded before it acts.
 */
export type Interpreter = {
  /**
   * Takes the run for `executorId` and marks it running; answers its step keys in order, the same ones at each
   * call. Answers none when the run is over.
   */
  begin(ref: RunRef, executorId: string): Promise<readonly string[]>
  /** Executes one step to its end and records the outcome durably before it answers. */
  perform(ref: RunRef, key: string, signal: AbortSignal): Promise<StepResult>
  /** Ends a run that the engine cannot go on with, so that it does not stay running for ever. */
  abandon(ref: RunRef, reason: string): Promise<void>
}
