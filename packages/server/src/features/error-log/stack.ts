import { errorLogLimits } from '@bey/contract/error-log/rules'

/** A line of a stack as the browser gave it. */
export type RawFrame = {
  text: string
  functionName: string | null
  /** Address of the script, without query. */
  url: string | null
  line: number | null
  column: number | null
}

const chromium = /^at (?:(?:async )?(.{1,200}?) \()?([a-z-]+:\/\/[^\s)]+?):(\d{1,9}):(\d{1,9})\)?$/
const chromiumWithoutPlace = /^at (?:async )?([^()]+)(?: \(.*\))?$/
const gecko = /^([^@]*)@([a-z-]+:\/\/\S+?):(\d{1,9}):(\d{1,9})$/

/** Longer lines are no frames, and slow to look at. */
const maxLineLength = 500

/** Reads a stack of Chromium, Firefox or Safari, or a component stack; lines that are no frame are left out. */
export function parseStack(stack: string): RawFrame[] {
  const frames: RawFrame[] = []
  for (const line of stack.split('\n')) {
    const frame = line.length <= maxLineLength ? parseFrame(line.trim()) : undefined
    if (frame) frames.push(frame)
    if (frames.length >= errorLogLimits.frames) break
  }
  return frames
}

function parseFrame(text: string): RawFrame | undefined {
  const match = chromium.exec(text) ?? gecko.exec(text)
  if (match) {
    const [, name, url = '', line, column] = match
    return {
      text,
      functionName: name?.replace(/^Object\./, '') || null,
      url: url.split(/[?#]/, 1)[0] ?? null,
      line: Number(line),
      column: Number(column),
    }
  }
  const name = chromiumWithoutPlace.exec(text)?.[1]
  return name === undefined ? undefined : { text, functionName: name, url: null, line: null, column: null }
}

/** The name of a built script, such as `cluster-list-page-BzX3d_1q.js`; undefined for what our build did not make. */
export function scriptOf(url: string | null): string | undefined {
  return url === null ? undefined : /^https?:\/\/[^/]+\/assets\/([\w.-]+\.js)$/.exec(url)?.[1]
}

/** Path below `src/` of a script that the development server serves. */
export function devPathOf(url: string | null): string | undefined {
  return url === null ? undefined : /^https?:\/\/[^/]+\/(src\/[\w./$-]+\.tsx?)$/.exec(url)?.[1]
}

/** The name of a built script without the hash of its contents, which every release changes. */
export function withoutHash(script: string): string {
  return script.replace(/-[\w-]{8}(?=\.js$)/, '')
}
