import type { Terminal } from '../terminal.ts'

/** What a command writes where nobody sits before it: `written` has standard output and standard error apart. */
export function pipedTerminal(input = '') {
  const written = { out: '', notes: '' }
  const terminal: Terminal = {
    out: (text) => void (written.out += typeof text === 'string' ? text : Buffer.from(text).toString()),
    note: (text) => void (written.notes += text),
    isInteractive: false,
    isOutputTerminal: false,
    columns: undefined,
    hasColor: false,
    ask: () => Promise.reject(new Error('No question can be asked without a terminal.')),
    readInput: () => Promise.resolve(input),
  }
  return { terminal, written }
}
