import { addressOf, bodyOf } from '@bey/client'
import type { CallInput, EndpointName } from '@bey/contract'
import { commandLine, routes } from '@bey/contract'
import { useEffect, useSyncExternalStore } from 'react'
import { curlCommand } from './curl.ts'

/** A shell command that does the same as something on the page. */
export interface PageCommand {
  /** What it does: "List these clusters". */
  title: string
  tool: 'curl' | 'kubectl'
  text: string
  /** The same with `bey`, where an endpoint does it. */
  bey?: string
}

let current: readonly PageCommand[] = []
const listeners = new Set<() => void>()

/** Fills the drawer of commands for as long as the page is open. Pages give data; the drawer shows it. */
export function usePageCommands(commands: readonly PageCommand[]): void {
  const key = JSON.stringify(commands)
  useEffect(() => {
    // Compared by content: equal commands from another render change nothing.
    const mine: readonly PageCommand[] = JSON.parse(key)
    set(mine)
    return () => {
      if (current === mine) set([])
    }
  }, [key])
}

/** What the page on screen has filled in; empty where it has nothing. */
export function useShownCommands(): readonly PageCommand[] {
  return useSyncExternalStore(subscribe, () => current)
}

/** An endpoint of the contract as a command, in the organization that is shown. */
export function apiCommand<N extends EndpointName>(
  title: string,
  name: N,
  input: CallInput<N>,
  organizationId: number,
): PageCommand {
  // From here on a call is text, and its endpoint's type is lost.
  const parts = input as Parameters<typeof addressOf>[1]
  const body = bodyOf(name, parts)
  const headers = { 'x-organization-id': String(organizationId) }
  const call = { method: routes[name].method, path: addressOf(name, parts), headers, body }
  return { title, tool: 'curl', text: curlCommand(call, location.origin), bey: commandLine(name, parts) }
}

function set(next: readonly PageCommand[]) {
  current = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
