import { posix } from 'node:path'
import type { Expansion } from './shell-expansion.ts'
import type { Result } from './shell-result.ts'
import type { Redirect } from './shell-syntax.ts'
import type { Shell } from './shell.ts'

const largestFile = 4 * 1024 * 1024
const streams: Record<string, string> = {
  '/dev/stdout': '&1',
  '/proc/1/fd/1': '&1',
  '/proc/self/fd/1': '&1',
  '/dev/stderr': '&2',
  '/proc/1/fd/2': '&2',
  '/proc/self/fd/2': '&2',
}

/** Sends the two outputs where the redirections, from left to right, say. */
export function sendOutputs(
  shell: Shell,
  expansion: Expansion,
  result: Result,
  redirects: Redirect[],
): Result {
  let [out, error]: [string | undefined, string | undefined] = ['&1', '&2']
  const fresh = new Set<string>()
  for (const { mode, descriptor, target } of redirects) {
    if (mode.startsWith('<')) continue
    let to: string | undefined = target === '2' ? error : out
    if (mode !== 'copy') {
      const path = shell.resolve(expansion.word(target))
      to = streams[path] ?? path
      if (mode === '>') fresh.add(to)
    }
    if (descriptor !== 2) out = to
    if (descriptor !== 1) error = to
  }
  const ended: Result = { out: '', error: '', code: result.code }
  const files = shell.files
  const put = (to: string | undefined, content: Buffer) => {
    if (to === '&1') ended.out = Buffer.concat([Buffer.from(ended.out), content])
    else if (to === '&2') ended.error += content.toString()
    else if (to !== undefined && (posix.dirname(to) !== '/dev' || to === '/dev/termination-log')) {
      const before = fresh.has(to) ? undefined : files.get(to)
      // A log that nobody rotates would fill the memory.
      files.set(to, Buffer.concat([before ?? Buffer.alloc(0), content]).subarray(-largestFile))
      fresh.delete(to)
    }
  }
  put(out, Buffer.from(result.out))
  put(error, Buffer.from(result.error))
  return ended
}
