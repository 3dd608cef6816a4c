import type { RunEvent } from '../../../platform/engine/interpreter.ts'

// Which steps of a run go on, from the events of the run and nothing else.

/** What became of a step, as it is recorded for the control flow. */
export type NodeResult =
  | 'succeeded'
  | 'skipped'
  | 'failed'
  | 'timed_out'
  | 'cancelled'
  | 'stopped'
  | 'expanded'

export type ScheduleNode = {
  key: string
  needs: readonly string[]
  continueOnError: boolean
  /** Whether something is done to undo it when the run does not complete. */
  isUndoable: boolean
  /** Iterations that may go on at once; undefined where it is no loop. */
  maxParallel: number | undefined
}

export type EndStatus = 'completed' | 'failed' | 'cancelled' | 'timed_out'

/** Why a run ends before its last step, and the step that was the reason. */
export type Ending = { status: EndStatus; key: string }

/** What follows at once from the end of the only step under way. */
export type Following = { end?: Ending; open?: string }

type Loop = { count: number; next: number; going: number; hasFailed: boolean }

/** The key of what undoes a step. */
const undoKey = (key: string) => `${key}!undo`
/** The name under which a loop is ended, after its last iteration. */
const collectKey = (key: string) => `${key}#end`
export const iterationKey = (key: string, index: number) => `${key}[${index}]`
/** The step that an iteration, the end of a loop or an undoing belongs to. */
export const stepKeyOf = (key: string) => key.replace(/(\[\d+\]|#end|!undo)$/, '')

export type Schedule = ReturnType<typeof createSchedule>

/** `parallel` is how many steps may be under way at once. */
export function createSchedule(nodes: readonly ScheduleNode[], parallel: number) {
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  const missing = new Map(nodes.map((node) => [node.key, new Set(node.needs).size]))
  const dependents = new Map<string, string[]>()
  for (const node of nodes) {
    for (const need of new Set(node.needs)) {
      const after = dependents.get(need)
      if (after === undefined) dependents.set(need, [node.key])
      else after.push(node.key)
    }
  }
  const ready: string[] = nodes.filter((node) => missing.get(node.key) === 0).map((node) => node.key)
  const underWay = new Set<string>()
  const loops = new Map<string, Loop>()
  /** Steps that can be undone, in the order in which they succeeded. */
  const undoable: string[] = []
  let concluded = 0
  let ending: Ending | undefined
  let isOver = false

  /** Moves what may begin now among what is under way. */
  function begin(): void {
    if (ending !== undefined) {
      if (underWay.size > 0 || ending.status === 'completed') return
      const last = undoable.pop()
      if (last !== undefined) underWay.add(undoKey(last))
      return
    }
    for (const [key, loop] of loops) beginIterations(key, loop)
    while (underWay.size < parallel) {
      const key = ready.shift()
      if (key === undefined) break
      underWay.add(key)
    }
  }

  function beginIterations(key: string, loop: Loop): void {
    const node = byKey.get(key)
    const mayGoOn = !loop.hasFailed || node?.continueOnError === true
    while (
      mayGoOn &&
      loop.next < loop.count &&
      loop.going < (node?.maxParallel ?? 1) &&
      underWay.size < parallel
    ) {
      underWay.add(iterationKey(key, loop.next))
      loop.next += 1
      loop.going += 1
    }
    if (loop.going === 0) {
      loops.delete(key)
      underWay.add(collectKey(key))
    }
  }

  function endStep(key: string, result: NodeResult): void {
    const step = stepKeyOf(key)
    if (key.endsWith('!undo')) return
    const loop = key.endsWith(']') ? loops.get(step) : undefined
    if (loop !== undefined) {
      loop.going -= 1
      if (isFailure(result)) loop.hasFailed = true
      if (result === 'cancelled') ending ??= { status: 'cancelled', key }
      return
    }
    const node = byKey.get(step)
    if (node === undefined) return
    concluded += 1
    if (result === 'succeeded' && node.isUndoable) undoable.push(step)
    if (result === 'cancelled') ending ??= { status: 'cancelled', key: step }
    else if (isFailure(result) && !node.continueOnError) ending ??= { status: 'failed', key: step }
    else for (const next of dependents.get(step) ?? []) satisfy(next)
  }

  function satisfy(key: string): void {
    const left = (missing.get(key) ?? 0) - 1
    missing.set(key, left)
    if (left === 0) ready.push(key)
  }

  begin()
  return {
    /** Keys of what is under way, in the order in which they began. */
    underWay: (): readonly string[] => [...underWay],
    isOver: () => isOver,
    /** Why the run ends, once nothing is under way. Steps that wait for each other never begin. */
    ending: (): Ending => ending ?? { status: concluded < nodes.length ? 'failed' : 'completed', key: '' },
    isUndoing: () => ending !== undefined && ending.status !== 'completed',
    /** Steps that are over, of all that the definition names. */
    concluded: () => concluded,

    apply(event: RunEvent): void {
      const key = String(event['key'] ?? '')
      const result = String(event['result'] ?? '') as NodeResult
      if (event['end'] !== undefined)
        ending ??= { status: String(event['end']) as EndStatus, key: stepKeyOf(key) }
      underWay.delete(key)
      if (result === 'expanded') {
        loops.set(key, { count: Number(event['count']), next: 0, going: 0, hasFailed: false })
      } else if (key !== '') endStep(key, result)
      if (event['over'] === true) isOver = true
      else begin()
    },

    /**
     * What follows when the only step under way ends so; nothing where the rest of the run has a say in it. `forced`: the
     * run ends with it, for it was asked to stop.
     */
    following(key: string, result: NodeResult, forced?: EndStatus): Following {
      const node = byKey.get(key)
      if (node === undefined || underWay.size !== 1 || loops.size > 0 || ending !== undefined) return {}
      if (result === 'stopped' || result === 'timed_out' || result === 'expanded') return {}
      if (forced !== undefined) {
        const isUndone = undoable.length > 0 || (result === 'succeeded' && node.isUndoable)
        return isUndone ? {} : { end: { status: forced, key } }
      }
      const isLost = result === 'cancelled' || (isFailure(result) && !node.continueOnError)
      if (isLost && undoable.length > 0) return {}
      if (isLost) return { end: { status: result === 'cancelled' ? 'cancelled' : 'failed', key } }
      const next = [...ready, ...(dependents.get(key) ?? []).filter((each) => missing.get(each) === 1)]
      if (next.length === 0) return { end: { status: 'completed', key } }
      return next.length === 1 && next[0] !== undefined ? { open: next[0] } : {}
    },
  }
}

function isFailure(result: NodeResult): boolean {
  return result === 'failed' || result === 'timed_out'
}
