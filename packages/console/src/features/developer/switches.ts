import { useSyncExternalStore } from 'react'
import { storage } from '../../lib/storage.ts'

export type DeveloperSwitch = 'reactScan' | 'clickToComponent' | 'autoHide' | 'workflowDebugger'

const listeners = new Set<() => void>()

/** A switch of the developer settings, kept in the browser; off until it is switched on. */
export function useDeveloperSwitch(
  name: DeveloperSwitch,
): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, () => storage.read(name) === 'true')
  return [isOn, (next) => setDeveloperSwitch(name, next)]
}

function setDeveloperSwitch(name: DeveloperSwitch, isOn: boolean): void {
  storage.write(name, String(isOn))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
