import { createHash } from 'node:crypto'
import type { ErrorStackFrame } from '@bey/contract'
import { withoutHash } from './stack.ts'

/** Frames of our own code, from the top, that distinguish errors with the same message. */
const framesCounted = 3

/**
 * What makes two occurrences the same error: the message without what differs from one time to the next, and the
 * top of our own code. A new build does not change it: traced frames have the names of the source, untraced ones
 * count by their script without its hash, for minified names and columns change with every build.
 */
export function fingerprintOf(message: string, frames: readonly ErrorStackFrame[]): Buffer {
  const own = frames.filter((frame) => frame.isOwn).slice(0, framesCounted)
  const locations = own.map((frame) =>
    frame.isResolved ? resolvedLocation(frame) : unresolvedLocation(frame),
  )
  return createHash('sha256')
    .update(JSON.stringify([normalMessage(message), ...locations]))
    .digest()
}

/** Where in our own code it happened, for people; empty where no frame shows it. */
export function culpritOf(frames: readonly ErrorStackFrame[]): string {
  const file = frames.find((frame) => frame.isOwn && frame.file !== null)?.file ?? ''
  return withoutHash(file.replace(/^src\//, '')).slice(0, 200)
}

/** A message without ids, numbers, addresses and hashes. */
function normalMessage(message: string): string {
  return message
    .replace(/-[\w-]{8}(?=\.(?:js|css)\b)/g, '')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '#')
    .replace(/\bhttps?:\/\/[^\s/"')]+/g, '')
    .replace(/[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}/gi, '#')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '#')
    .replace(/\d+(?:\.\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
}

// Lines move with every change to a file above them; the function stays where it is.
function resolvedLocation(frame: ErrorStackFrame): string {
  return `${frame.file} ${frame.functionName ?? ''}`
}

function unresolvedLocation(frame: ErrorStackFrame): string {
  return withoutHash(frame.file ?? '')
}
