import { exitCodes } from './errors.ts'
import { processTerminal } from './process-terminal.ts'
import { run } from './run.ts'

const terminal = processTerminal()
const interrupt = new AbortController()
process.once('SIGINT', () => {
  interrupt.abort()
  if (terminal.isChanging === true)
    terminal.note('Interrupted: the change under way is finished first. Ctrl+C again ends it at once.\n')
  // A second time ends it at once.
  process.once('SIGINT', () => process.exit(exitCodes.interrupted))
})
// Whoever reads has enough, such as `head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' && terminal.isChanging === true) return
  process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.error)
})

const parts = { env: process.env, terminal, signal: interrupt.signal }
// Not awaited: the single executable is CommonJS, which has no await at its top.
void run(process.argv.slice(2), parts).then((code) => {
  process.exitCode = code
})
