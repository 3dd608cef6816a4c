import type { LoggedMessage } from '@bey/client'
import { preciseTime } from '../../ui/time-text.ts'

/** What a message is, as its sender names it. */
export function typeOf({ data }: LoggedMessage): string {
  return typeof data === 'object' && data !== null && 'type' in data ? String(data.type) : 'unknown'
}

/** What a message carries beside its type, in one line. */
export function previewOf({ data }: LoggedMessage): string {
  if (typeof data !== 'object' || data === null) return JSON.stringify(data)
  return JSON.stringify(Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'type')))
}

/** `all`, `sent`, `received`, or the type of a message. */
export interface MessageFilter {
  kind: string
  text: string
}

/** Whether a message is of the kind and holds the text, anywhere and in any case. */
export function matchesFilter(message: LoggedMessage, { kind, text }: MessageFilter): boolean {
  const isOfKind = kind === 'all' || kind === message.type || kind === typeOf(message)
  return isOfKind && JSON.stringify(message.data).toLowerCase().includes(text.trim().toLowerCase())
}

/** "12:04:31.250". */
export function messageTime({ timestamp }: LoggedMessage): string {
  return preciseTime(new Date(timestamp))
}
