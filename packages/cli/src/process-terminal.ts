import { text } from 'node:stream/consumers'
import type { Terminal } from './terminal.ts'

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  const isOutputTerminal = stdout.isTTY === true
  return {
    out: (line) => void stdout.write(line),
    note: (line) => void stderr.write(line),
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    isOutputTerminal,
    columns: isOutputTerminal ? stdout.columns : undefined,
    hasColor: isOutputTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    ask,
    readInput: () => text(stdin),
  }
}

async function ask(question: string, isHidden = false): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const { Writable } = await import('node:stream')
  // What is typed is echoed by the interface itself, so a silent output hides it.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  process.stderr.write(question)
  const lines = createInterface({
    input: process.stdin,
    output: isHidden ? silent : process.stderr,
    terminal: true,
  })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    if (isHidden) process.stderr.write('\n')
  }
}
