import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'

/** The question before typed text is lost. */
export interface LeaveQuestion {
  /** Each thing that would be lost, as in "the cluster that you describe". */
  lost: readonly string[]
  answer: (mayLeave: boolean) => void
}

interface Edit {
  lost: string
  isLeft: (step: Step) => boolean
}

/** From one address of the console to another. */
interface Step {
  current: PageAddress
  next: PageAddress
}

interface PageAddress {
  pathname: string
  search: object
}

const edits = new Map<symbol, Edit>()
const listeners = new Set<() => void>()
let question: LeaveQuestion | undefined
let isLeavingAllowed = false

/**
 * Guards typed text against leaving the page, reloading it, switching the organization and signing out. `lost`
 * names it, as in "the cluster that you describe"; undefined while there is nothing to lose. A form that is shown only while
 * parameters of the address say so, such as a form in a drawer, names them in `params`: changing one of them also leaves it.
 * The returned function ends the guard at once: call it when it was saved, before going elsewhere.
 */
export function useUnsaved(lost: string | undefined, params: readonly string[] = noParams): () => void {
  const [key] = useState(() => Symbol('unsaved'))
  useBlocker({
    disabled: lost === undefined,
    shouldBlockFn: async (step) => leaves(step, params) && !(await confirmStep(step)),
    // The browser asks its own question below, while there is something to lose.
    enableBeforeUnload: false,
  })
  useEffect(() => {
    if (lost === undefined) return
    edits.set(key, { lost, isLeft: (step) => leaves(step, params) })
    window.addEventListener('beforeunload', preventUnload)
    return () => forget(key)
  }, [key, lost, params])
  return () => forget(key)
}

const noParams: readonly string[] = []

function leaves({ current, next }: Step, params: readonly string[]): boolean {
  const value = ({ search }: PageAddress, param: string): unknown =>
    Object.entries(search).find(([name]) => name === param)?.[1]
  return (
    current.pathname !== next.pathname || params.some((param) => value(current, param) !== value(next, param))
  )
}

async function confirmStep(step: Step): Promise<boolean> {
  const mayLeave = await askToLeave(step)
  // Every form of the page checks the same step, but the user is asked only once.
  if (mayLeave && hasUnsaved()) {
    isLeavingAllowed = true
    setTimeout(() => (isLeavingAllowed = false), 0)
  }
  return mayLeave
}

/** Whether leaving now would lose something. */
function hasUnsaved(): boolean {
  return edits.size > 0 && !isLeavingAllowed
}

/** Asks whether to leave if something would be lost. Without a step every edit counts as lost. */
function askToLeave(step?: Step): Promise<boolean> {
  const left = isLeavingAllowed ? [] : [...edits.values()].filter((edit) => !step || edit.isLeft(step))
  if (left.length === 0) return Promise.resolve(true)
  question?.answer(false)
  return new Promise((resolve) => {
    ask({
      lost: [...new Set(left.map(({ lost }) => lost))],
      answer: (mayLeave) => {
        ask(undefined)
        resolve(mayLeave)
      },
    })
  })
}

/** Asks, then runs `leave`. Does nothing if the user decides to stay. */
export async function leaving(leave: () => Promise<void>): Promise<void> {
  if (!(await askToLeave())) return
  isLeavingAllowed = true
  try {
    await leave()
  } finally {
    isLeavingAllowed = false
  }
}

/** Stops asking: the page is about to be replaced. */
export function allowLeaving(): void {
  isLeavingAllowed = true
}

/** For the one dialog that asks. */
export function useLeaveQuestion(): LeaveQuestion | undefined {
  return useSyncExternalStore(subscribe, () => question)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function ask(next: LeaveQuestion | undefined) {
  question = next
  for (const listener of listeners) listener()
}

function forget(key: symbol) {
  edits.delete(key)
  // The browser does not keep a page with this listener in its back/forward cache.
  if (edits.size === 0) window.removeEventListener('beforeunload', preventUnload)
}

function preventUnload(event: BeforeUnloadEvent) {
  if (hasUnsaved()) event.preventDefault()
}
