import { useSyncExternalStore } from 'react'
import { storage, storageKeys } from '../lib/storage.ts'

/** On what annotation mode itself draws: it is never annotated. */
export const ownAttribute = 'data-annotation-layer'

const listeners = new Set<() => void>()

/** Whether pages are being annotated, and the way to switch it, in step across tabs. Who may is not asked here. */
export function useAnnotationMode(): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, isAnnotationModeOn), setAnnotationMode]
}

export function setAnnotationMode(isOn: boolean): void {
  storage.write('annotationMode', String(isOn))
  for (const listener of listeners) listener()
}

function isAnnotationModeOn(): boolean {
  return storage.read('annotationMode') === 'true'
}

function subscribe(listener: () => void): () => void {
  // Heard only from other tabs; a cleared storage has no key.
  const hear = ({ key }: StorageEvent) => {
    if (key === storageKeys.annotationMode || key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', hear)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', hear)
  }
}
