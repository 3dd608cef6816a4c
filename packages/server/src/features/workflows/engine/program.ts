import type {
  Interruption,
  RunEvent,
  RunHost,
  RunProgram,
  RunRef,
} from '../../../platform/engine/interpreter.ts'
import { EngineStopping } from '../../../platform/engine/step-failure.ts'
import type { Begun } from './begin-run.ts'
import type { Execution, ExecutionParts } from './execution.ts'
import { endRun } from './end-run.ts'
import { createInbox } from './inbox.ts'
import { checkRun } from './run-ownership.ts'
import { createSchedule } from './schedule.ts'
import { secretsOfRun } from './run-secrets.ts'
import { markWaiting } from './mark-waiting.ts'
import { recordRunSpan } from './run-spans.ts'
import { performStep } from './step-task.ts'
import { createTurns } from './turns.ts'
import { createWaits } from './waits.ts'

class DeadlinePassed extends Error {}

/**
 * One execution of a run: the schedule says which steps are under way, each of them is a task, and the first that ends is
 * the next event. Tasks begin after the recorded events are applied, so that a replay executes nothing.
 */
export function createProgram(parts: ExecutionParts, ref: RunRef, host: RunHost, begun: Begun): RunProgram {
  const { clock, log } = parts
  const { plan, run } = begun
  const inbox = createInbox<RunEvent | Interruption>()
  /** What was begun for the next events, until the event is applied. */
  const tasks = new Map<string, 'going' | 'ended'>()
  const waits = createWaits(clock, () => void onBusyChange())
  const givenUp = Promise.withResolvers<void>()
  /** Only of a run that has one, for thousands may wait. */
  let deadline: AbortController | undefined
  const stopping = new AbortController()
  let hasSlot = true
  let isMarking = false
  let failure: unknown
  let stopDeadline: () => void = () => undefined
  const idleListeners: (() => void)[] = []

  const x: Execution = {
    parts,
    ref,
    host,
    plan,
    schedule: createSchedule([...plan.steps.values()], plan.parallel),
    run,
    inTurn: createTurns(),
    outputs: new Map(Object.entries(begun.outputs)),
    opened: new Map(begun.first === undefined ? [] : [[begun.first.key, { step: begun.first, run }]]),
    percents: new Map(),
    knownSecrets: secretsOfRun(parts, run.organizationId, plan),
    signal: () =>
      AbortSignal.any([host.signal, stopping.signal, ...(deadline === undefined ? [] : [deadline.signal])]),
    isBrokenOff: () => host.signal.aborted || stopping.signal.aborted || deadline?.signal.aborted === true,
    stopping: stopping.signal,
    givenUp: givenUp.promise,
    wakes: waits.wakes,
    async wait(key, until, seen) {
      if (stopping.signal.aborted || host.isStopping()) return
      await waits.wait(key, until, seen)
      if (hasSlot || stopping.signal.aborted || host.isStopping()) return
      await host.acquire()
      hasSlot = true
    },
    busy: () => [...tasks.values()].filter((state) => state === 'going').length - waits.count(),
    hasTimedOut: () => deadline?.signal.aborted === true,
    endStatus: undefined,
  }

  function isIdle(): boolean {
    return stopping.signal.aborted || x.busy() === 0
  }

  function notifyIdle(): void {
    if (idleListeners.length === 0 || !isIdle()) return
    for (const listener of idleListeners.splice(0)) listener()
  }

  function idle(): Promise<void> {
    if (isIdle()) return Promise.resolve()
    return new Promise((resolve) => idleListeners.push(resolve))
  }

  /** A run that only waits gives its place back and says what it waits for. */
  async function onBusyChange(): Promise<void> {
    notifyIdle()
    if (x.busy() > 0 || waits.count() === 0 || isMarking || host.isStopping()) return
    isMarking = true
    try {
      await markWaiting(x)
    } catch (error) {
      log.debug({ err: error, runId: ref.runId }, 'That a run waits could not be recorded')
    } finally {
      isMarking = false
    }
    if (x.busy() > 0 || !hasSlot) return
    hasSlot = false
    host.release()
  }

  function begin(key: string): void {
    tasks.set(key, 'going')
    const end = (result: RunEvent | Interruption) => {
      tasks.set(key, 'ended')
      inbox.put(result)
      notifyIdle()
    }
    performStep(x, key).then(end, (error: unknown) => {
      failure ??= error
      end('again')
    })
  }

  async function refresh(): Promise<void> {
    const seen = await checkRun(x)
    if (seen === 'over' || seen === 'lost') givenUp.resolve()
    waits.wakeAll()
  }

  host.onStopping(() => waits.wakeAll())
  stopping.signal.addEventListener('abort', notifyIdle, { once: true })
  host.onWake(() => {
    refresh().catch((error: unknown) =>
      log.debug({ err: error, runId: ref.runId }, 'A woken run could not look'),
    )
  })
  host.signal.addEventListener(
    'abort',
    () => {
      if (host.signal.reason instanceof EngineStopping) stopping.abort(host.signal.reason)
      waits.wakeAll()
    },
    { once: true },
  )
  if (run.deadlineAt !== null || plan.timeoutMs !== undefined) watchDeadline()

  function watchDeadline(): void {
    const controller = (deadline ??= new AbortController())
    const at = run.deadlineAt?.getTime() ?? clock.now().getTime() + (plan.timeoutMs ?? 0)
    const longest = 2 ** 31 - 1
    const stop = clock.setTimeout(
      () => {
        if (at > clock.now().getTime()) return watchDeadline()
        controller.abort(new DeadlinePassed('The time of the run is up'))
        waits.wakeAll()
      },
      Math.min(longest, Math.max(0, at - clock.now().getTime())),
    )
    stopDeadline = stop
  }

  for (const event of begun.events) x.schedule.apply(event)

  return {
    isOver() {
      const isOver = x.schedule.isOver()
      if (isOver) stopDeadline()
      return isOver
    },
    async nextEvent() {
      const keys = x.schedule.underWay()
      if (keys.length === 0) {
        const finished = await endRun(x)
        if (typeof finished !== 'string') recordRunSpan(x)
        return finished
      }
      for (const key of keys) if (!tasks.has(key)) begin(key)
      void onBusyChange()
      const event = await inbox.take()
      // The process goes down: what executes beside it ends first.
      if (event === 'left') await idle()
      if (typeof event === 'string') leave()
      if (failure !== undefined) throw failure
      if (typeof event !== 'string' && event['over'] === true) recordRunSpan(x)
      return event
    },
    apply(event) {
      tasks.delete(String(event['key']))
      x.schedule.apply(event)
    },
    idle,
  }

  /** The other steps of the run are broken off with it. */
  function leave(): void {
    stopDeadline()
    stopping.abort(new EngineStopping())
    waits.wakeAll()
  }
}
