import type { Command } from './shell.ts'
import { done, failed } from './shell-result.ts'

/** The terminal that somebody sits at, as large as they last said. */
export type Terminal = { rows: number; columns: number }

/** What programs ask a terminal about. */
export const terminalTools: Record<string, Command> = {
  tty: ({ terminal }) => (terminal ? done('/dev/pts/0\n') : { out: 'not a tty\n', error: '', code: 1 }),
  stty({ terminal }, words) {
    if (!terminal) return failed('stty: standard input: Not a tty')
    const { rows, columns } = terminal
    if (words[0] === 'size') return done(`${rows} ${columns}\n`)
    return done(words.length === 0 ? `speed 38400 baud; rows ${rows}; columns ${columns};\n` : '')
  },
}
