import type { Journal } from './journal.ts'

/** Which run, and whose: all that the engine's own tables ever hold. */
export type RunRef = { organizationId: number; runId: string }

/** What happened in a run, as small as its recorded trace: keys of steps and words, never what they work with. */
export type RunEvent = { readonly [name: string]: string | number | boolean }

/**
 * Why nothing happened. `lost`: another process holds the run now. `left`: it was broken off because the signal gave
 * EngineStopping. `again`: what is recorded of the run is not what this process took it for, and the run goes on from
 * what is recorded.
 */
export type Interruption = 'lost' | 'left' | 'again'

/** What a run may ask of the process that executes it. */
export type RunHost = {
  executorId: string
  /** Where the events of the run are recorded. */
  journal: Journal
  /** Aborted by a request to cancel, and with EngineStopping as its reason when the process goes down. */
  signal: AbortSignal
  /** Whether the process goes down: what is under way may end, and nothing begins. */
  isStopping(): boolean
  /** Sets what is called when the process begins to go down. */
  onStopping(listener: () => void): void
  /** Sets what is called when something was recorded that a waiting run should look at. */
  onWake(listener: () => void): void
  /** Gives the place of the run back while it only waits. */
  release(): void
  /** Waits for a place, after those that asked before. */
  acquire(): Promise<void>
}

/**
 * One execution of a run: a sequence of events, of which those that were recorded before are applied. What is next follows
 * from the events so far and from what never changes of a run, so that each process arrives at the same point.
 */
export type RunProgram = {
  isOver(): boolean
  /** Executes until the next event has happened and is recorded, with the rows of the run that say the same. */
  nextEvent(): Promise<RunEvent | Interruption>
  apply(event: RunEvent): void
  /** Resolves when nothing executes any more; what is under way ends by itself, or is broken off by the signal. */
  idle(): Promise<void>
}

/** What the durable loop calls. It is given by the workflows feature, for the engine knows nothing of steps. */
export type Interpreter = {
  /** Takes the run for this process and marks it running; undefined when it is over. */
  begin(ref: RunRef, host: RunHost): Promise<RunProgram | undefined>
  /** Ends a run that the engine cannot go on with, so that it does not stay running for ever. */
  abandon(ref: RunRef, executorId: string, reason: string): Promise<void>
}
