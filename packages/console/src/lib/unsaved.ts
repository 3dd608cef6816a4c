import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'

/** What is asked before something typed is lost. */
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
  current: Place
  next: Place
}

interface Place {
  pathname: string
  search: object
}

const edits = new Map<symbol, Edit>()
const listeners = new Set<() => void>()
let question: LeaveQuestion | undefined
let isLetGo = false

/**
 * Guards what one has typed against leaving the page, reloading it, switching the organization and signing out. `lost`
 * names it, as in "the cluster that you describe"; undefined while there is nothing to lose. A form that stands only while
 * parameters of the address say so, as in a drawer, names them in `params`: it is left when one of them changes, too.
 * The returned function ends the guard at once: call it when it was saved, before going elsewhere.
 */
export function useUnsaved(lost: string | undefined, params: readonly string[] = noParams): () => void {
  const [key] = useState(() => Symbol('unsaved'))
  useBlocker({
    disabled: lost === undefined,
    shouldBlockFn: async (step) => leaves(step, params) && !(await mayTake(step)),
    // The browser's own question is asked below, for as long as there is something to lose.
    enableBeforeUnload: false,
  })
  useEffect(() => {
    if (lost === undefined) return
    edits.set(key, { lost, isLeft: (step) => leaves(step, params) })
    window.addEventListener('beforeunload', hold)
    return () => forget(key)
  }, [key, lost, params])
  return () => forget(key)
}

const noParams: readonly string[] = []

function leaves({ current, next }: Step, params: readonly string[]): boolean {
  const value = ({ search }: Place, param: string): unknown =>
    Object.entries(search).find(([name]) => name === param)?.[1]
  return (
    current.pathname !== next.pathname || params.some((param) => value(current, param) !== value(next, param))
  )
}

async function mayTake(step: Step): Promise<boolean> {
  const mayLeave = await askToLeave(step)
  // Each form of the page is asked about the same step, a person only once.
  if (mayLeave && hasUnsaved()) {
    isLetGo = true
    setTimeout(() => (isLetGo = false), 0)
  }
  return mayLeave
}

/** Whether leaving now would lose something. */
function hasUnsaved(): boolean {
  return edits.size > 0 && !isLetGo
}

/** Asks, where something would be lost, whether to leave all the same; without a step everything would be. */
function askToLeave(step?: Step): Promise<boolean> {
  const left = isLetGo ? [] : [...edits.values()].filter((edit) => !step || edit.isLeft(step))
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

/** Runs what leaves the page after asking; nothing happens where one would rather stay. */
export async function leaving(leave: () => Promise<void>): Promise<void> {
  if (!(await askToLeave())) return
  isLetGo = true
  try {
    await leave()
  } finally {
    isLetGo = false
  }
}

/** For a page that is being replaced as a whole: nothing is asked any more. */
export function letGo(): void {
  isLetGo = true
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
  // A page that listens for it is not kept by the browser for going back.
  if (edits.size === 0) window.removeEventListener('beforeunload', hold)
}

function hold(event: BeforeUnloadEvent) {
  if (hasUnsaved()) event.preventDefault()
}
