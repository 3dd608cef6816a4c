import { useSyncExternalStore } from 'react'

/** How absolute times are written. */
export interface TimeStyle {
  /** An IANA name; null for the device's own. */
  timeZone: string | null
  /** 21 Nov 2026 · Nov 21, 2026 · 2026-11-21. */
  dateFormat: 'day-month' | 'month-day' | 'iso'
  hourCycle: '24' | '12'
}

const listeners = new Set<() => void>()

/** Writes every absolute time in another style from now on, those on screen included. */
export function setTimeStyle(style: TimeStyle): void {
  document.documentElement.dataset['times'] = timeStyleText(style)
  for (const listener of listeners) listener()
}

/** A style as one word, as `theme-boot.js` puts it on the document before the first paint. */
export function timeStyleText({ timeZone, dateFormat, hourCycle }: TimeStyle): string {
  return `${timeZone ?? ''}|${dateFormat}|${hourCycle}`
}

/** The word of the present style. */
export function timeStyleKey(): string {
  return document.documentElement.dataset['times'] ?? ''
}

/** Draws a component that writes absolute times again when their style changes. */
export function useTimeStyle(): string {
  return useSyncExternalStore(subscribe, timeStyleKey)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Parses a stored time style; parts that are invalid get the default. */
export function parseTimeStyle(text: string): TimeStyle {
  const [timeZone = '', dateFormat, hourCycle] = text.split('|')
  return {
    timeZone: isKnownZone(timeZone) ? timeZone : null,
    dateFormat: dateFormat === 'month-day' || dateFormat === 'iso' ? dateFormat : 'day-month',
    hourCycle: hourCycle === '12' ? '12' : '24',
  }
}

// A browser may know fewer zones than the server that kept the name.
function isKnownZone(timeZone: string): boolean {
  if (timeZone === '') return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }))
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
