import { posix } from 'node:path'
import { namesIn } from './container-files.ts'
import { done, type Result } from './shell-result.ts'
import type { Shell } from './shell.ts'

/** `ls` with the options `a`, `l`, `R` and `d`, as BusyBox prints. */
export function ls(shell: Shell, words: string[]): Result {
  const flags = words.filter((word) => /^-./.test(word)).join('')
  const given = words.filter((word) => !/^-./.test(word))
  const paths = given.length > 0 ? given : ['.']
  const missing = paths.filter((path) => !isFile(shell, path) && !names(shell, path, flags))
  const isAlone = (path: string) => flags.includes('d') || isFile(shell, path)
  const present = paths.filter((path) => !missing.includes(path))
  const files = present.filter(isAlone)
  const blocks = files.length > 0 ? [files.map((path) => line(shell, path, path, flags)).join('')] : []
  const isTitled = paths.length > 1 || flags.includes('R')
  for (const path of present.filter((one) => !isAlone(one)))
    blocks.push(...list(shell, path, flags, isTitled))
  const error = missing.map((path) => `ls: ${path}: No such file or directory\n`).join('')
  return { ...done(blocks.join('\n')), error, code: missing.length > 0 ? 1 : 0 }
}

function isFile(shell: Shell, path: string): boolean {
  return shell.files.has(shell.resolve(path))
}

function names(shell: Shell, path: string, flags: string): string[] | undefined {
  const all = namesIn(shell.files, shell.resolve(path))
  return all?.filter((name) => flags.includes('a') || !name.startsWith('.'))
}

function line(shell: Shell, path: string, name: string, flags: string): string {
  if (!flags.includes('l')) return `${name}\n`
  const file = shell.files.get(shell.resolve(path))
  const mode = file ? '-rw-r--r--' : 'drwxr-xr-x'
  const size = String(file?.length ?? 4096).padStart(8)
  return `${mode}    1 root     root     ${size} Jan  1 00:00 ${name}\n`
}

/** A directory, and with `R` those below it, each under its name. */
function list(shell: Shell, path: string, flags: string, isTitled: boolean): string[] {
  const found = names(shell, path, flags) ?? []
  const inner = (name: string) => (path.endsWith('/') ? `${path}${name}` : `${path}/${name}`)
  const lines = found.map((name) => line(shell, posix.join(path, name), name, flags)).join('')
  const block = `${isTitled ? `${path}:\n` : ''}${lines}`
  if (!flags.includes('R')) return [block]
  const below = found.filter((name) => !isFile(shell, inner(name)))
  return [block, ...below.flatMap((name) => list(shell, inner(name), flags, isTitled))]
}
