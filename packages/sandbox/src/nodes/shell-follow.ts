import { failed } from './shell-result.ts'
import type { Sink, Steps } from './shell-script.ts'
import type { Shell } from './shell.ts'

const pollMs = 1000

/** `tail -f`: the last lines of files, and then what is added to them, for ever. */
export function* followFiles(shell: Shell, words: readonly string[], sink?: Sink): Steps {
  const count = /(?:^|-n|\s|-)(\+?\d+)/.exec(words.filter((word) => word.startsWith('-')).join(' '))?.[1]
  const value = words.find((word, i) => words[i - 1] === '-n') ?? count ?? '10'
  const isRetried = words.some((word) => /^-.*F/.test(word))
  const paths = words.filter((word, i) => !word.startsWith('-') && words[i - 1] !== '-n')
  const seen = new Map<string, number>()
  if (paths.every((path) => path.startsWith('/dev/'))) for (;;) yield Infinity
  for (;;) {
    for (const path of paths) {
      const file = shell.files.get(shell.resolve(path))
      const before = seen.get(path)
      if (!file && before === undefined) {
        const text = `tail: can't open '${path}': No such file or directory`
        if (!isRetried) return failed(text)
        sink?.('', `${text}\n`)
        seen.set(path, 0)
      } else if (file && before === undefined) {
        const lines = file.toString().split(/(?<=\n)/)
        const kept = value.startsWith('+') ? lines.slice(Number(value) - 1) : lines.slice(-Number(value))
        sink?.(kept.join(''), '')
        seen.set(path, file.length)
      } else if (file && file.length !== before) {
        // A file that became shorter was begun anew.
        sink?.(file.subarray(file.length > (before ?? 0) ? before : 0), '')
        seen.set(path, file.length)
      }
    }
    yield pollMs
    shell.refresh()
  }
}
