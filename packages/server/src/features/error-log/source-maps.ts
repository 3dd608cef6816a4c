import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErrorStackFrame } from '@bey/contract'
import { originalPositionFor, sourceContentFor, TraceMap } from '@jridgewell/trace-mapping'
import { devPathOf, type RawFrame, scriptOf } from './stack.ts'

export type SourceMaps = {
  /** Frames with the place in the source, where the source map of their script is at hand. */
  resolve(frames: readonly RawFrame[], options: { withExcerpts: boolean }): Promise<ErrorStackFrame[]>
}

/** Characters of source maps that are kept in memory. */
const maxCachedLength = 8_000_000
const maxMapBytes = 20_000_000
const linesAround = 3
/** Source is shown for so many frames of a stack. */
const maxExcerpts = 10

/** Reads the source maps that the build of the console left in `dir`, one beside each script by its name. */
export function createSourceMaps(dir: string): SourceMaps {
  const cached = new Map<string, { map: TraceMap | undefined; length: number }>()

  async function mapOf(script: string): Promise<TraceMap | undefined> {
    const known = cached.get(script)
    if (known) {
      // Moved to the end: what was not asked for longest goes first.
      cached.delete(script)
      cached.set(script, known)
      return known.map
    }
    const text = await readMap(join(dir, `${script}.map`))
    const map = text === undefined ? undefined : parseMap(text)
    // A map that is missing is not remembered: the next build may bring it.
    if (map) remember(script, { map, length: text?.length ?? 0 })
    return map
  }

  function remember(script: string, entry: { map: TraceMap; length: number }) {
    cached.set(script, entry)
    let length = [...cached.values()].reduce((sum, each) => sum + each.length, 0)
    for (const [name, each] of cached) {
      if (length <= maxCachedLength || name === script) break
      cached.delete(name)
      length -= each.length
    }
  }

  return {
    async resolve(frames, { withExcerpts }) {
      const resolved: ErrorStackFrame[] = []
      let excerpts = 0
      for (const frame of frames) {
        const script = scriptOf(frame.url)
        const map = script === undefined ? undefined : await mapOf(script)
        const traced =
          (map && traceFrame(frame, map, withExcerpts && excerpts < maxExcerpts)) ?? rawFrame(frame)
        if (traced.excerpt) excerpts += 1
        resolved.push(traced)
      }
      return resolved
    },
  }
}

async function readMap(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile() || stats.size > maxMapBytes) return undefined
  return readFile(path, 'utf8').catch(() => undefined)
}

function parseMap(text: string): TraceMap | undefined {
  try {
    return new TraceMap(text)
  } catch {
    // A map that was cut off while it was written is as good as none.
    return undefined
  }
}

function traceFrame(frame: RawFrame, map: TraceMap, withExcerpt: boolean): ErrorStackFrame | undefined {
  if (frame.line === null || frame.column === null || frame.line < 1) return undefined
  // Browsers count columns from 1, source maps from 0.
  const found = originalPositionFor(map, { line: frame.line, column: Math.max(0, frame.column - 1) })
  if (found.source === null) return undefined
  const file = found.source.replace(/^(?:\.\.\/)+/, '')
  const isOwn = !file.includes('node_modules/')
  const lines = isOwn ? (sourceContentFor(map, found.source)?.split('\n') ?? []) : []
  return {
    text: frame.text,
    functionName: declarationAround(lines, found.line) ?? frame.functionName,
    file,
    line: found.line,
    column: found.column + 1,
    isOwn,
    isResolved: true,
    excerpt: withExcerpt && lines.length > 0 ? excerptOf(lines, found.line) : null,
  }
}

const declaration = /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class) (\w+)/

/** The outermost declaration around a line. A source map names the token at a position, not the function around it. */
function declarationAround(lines: readonly string[], line: number): string | undefined {
  for (let index = Math.min(line, lines.length) - 1; index >= 0; index -= 1) {
    const name = declaration.exec(lines[index] ?? '')?.[1]
    if (name !== undefined) return name
  }
  return undefined
}

function excerptOf(lines: readonly string[], line: number): ErrorStackFrame['excerpt'] {
  const firstLine = Math.max(1, line - linesAround)
  const shown = lines.slice(firstLine - 1, line + linesAround)
  return { firstLine, lines: shown.map((each) => each.slice(0, 300)) }
}

function rawFrame(frame: RawFrame): ErrorStackFrame {
  const script = scriptOf(frame.url)
  const devPath = devPathOf(frame.url)
  return {
    text: frame.text,
    functionName: frame.functionName,
    file: devPath ?? (script === undefined ? frame.url : `assets/${script}`),
    line: frame.line,
    column: frame.column,
    isOwn: devPath !== undefined || (script !== undefined && !script.startsWith('framework-')),
    isResolved: false,
    excerpt: null,
  }
}
