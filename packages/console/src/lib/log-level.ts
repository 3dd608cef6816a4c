import { useSyncExternalStore } from 'react'
import { storage, storageKeys } from './storage.ts'

/** Least levels that one can choose, most verbose first. */
export const logLevels = ['trace', 'debug', 'info', 'warning', 'error', 'fatal'] as const
export type LogLevel = (typeof logLevels)[number]

/** Levels of a line; a success weighs as much as an info. */
export const lineLevels = ['trace', 'debug', 'info', 'success', 'warning', 'error', 'fatal'] as const
export type LineLevel = (typeof lineLevels)[number]

const defaultLevel: LogLevel = 'info'
const weights: Readonly<Record<LineLevel, number>> = {
  trace: 0,
  debug: 1,
  info: 2,
  success: 2,
  warning: 3,
  error: 4,
  fatal: 5,
}
const listeners = new Set<() => void>()

/** The least level that is written; anything stored that is not one counts as info. */
export function getLogLevel(): LogLevel {
  const stored = storage.read('logLevel')
  return logLevels.find((level) => level === stored) ?? defaultLevel
}

export function setLogLevel(level: LogLevel): void {
  storage.write('logLevel', level)
  for (const listener of listeners) listener()
}

/** The least level, in step with every other control that shows it, in this tab and in others. */
export function useLogLevel(): LogLevel {
  return useSyncExternalStore(subscribe, getLogLevel)
}

export function isWritten(level: LineLevel, least: LogLevel): boolean {
  return weights[level] >= weights[least]
}

function subscribe(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === storageKeys.logLevel || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}
