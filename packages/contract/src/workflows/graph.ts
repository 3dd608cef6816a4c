import type { WorkflowStepDefinition } from './definition.ts'

type Step = Pick<WorkflowStepDefinition, 'key' | 'needs'>

/** The keys that the step at `index` waits for: those it names, else the step before it in the list. */
export function needsOf(steps: readonly Step[], index: number): readonly string[] {
  const step = steps[index]
  if (step?.needs !== undefined) return step.needs
  const before = steps[index - 1]
  return before === undefined ? [] : [before.key]
}

/** Keys of the steps of one cycle in its order, or undefined when there is none. Unknown needs are passed over. */
export function findCycle(steps: readonly Step[]): string[] | undefined {
  const needs = new Map(steps.map((step, index) => [step.key, needsOf(steps, index)]))
  const done = new Set<string>()
  for (const start of needs.keys()) {
    const cycle = walk(start, needs, done)
    if (cycle !== undefined) return cycle
  }
  return undefined
}

/** Depth first without recursion: a chain may be thousands of steps long. */
function walk(
  start: string,
  needs: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
): string[] | undefined {
  const path: string[] = []
  const onPath = new Set<string>()
  const stack: { key: string; next: number }[] = []
  const enter = (key: string) => {
    stack.push({ key, next: 0 })
    path.push(key)
    onPath.add(key)
  }
  if (!done.has(start)) enter(start)
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const need = needs.get(top.key)?.[top.next]
    top.next += 1
    if (need === undefined) {
      done.add(top.key)
      onPath.delete(top.key)
      path.pop()
      stack.pop()
    } else if (onPath.has(need)) {
      return path.slice(path.indexOf(need)).toReversed()
    } else if (needs.has(need) && !done.has(need)) {
      enter(need)
    }
  }
  return undefined
}

/** Every step that must end before `key` begins, the key itself left out. */
export function ancestorsOf(steps: readonly Step[], key: string): ReadonlySet<string> {
  const needs = new Map(steps.map((step, index) => [step.key, needsOf(steps, index)]))
  const found = new Set<string>()
  const open = [...(needs.get(key) ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next) || next === key) continue
    found.add(next)
    open.push(...(needs.get(next) ?? []))
  }
  return found
}
