import { spawn } from 'node:child_process'
import { exitCodes, UsageError } from '../errors.ts'
import { printReply } from '../output/print.ts'
import type { Environment } from '../settings.ts'
import type { Call } from './hand-made.ts'

/** Opens a page of the console. */
export async function open({ session, args }: Call): Promise<number> {
  const path = args[0] ?? '/'
  if (!path.startsWith('/')) throw new UsageError(`A path begins with a slash: bey open /${path}`)
  const url = new URL(path, session.target.url)
  if (url.origin !== session.target.url) throw new UsageError('The path leads to another server.')
  const { flags, terminal, env } = session
  if (flags.json !== undefined || flags.output !== undefined)
    printReply(terminal, { url: url.href }, flags, { columns: [] })
  else terminal.out(`${url.href}\n`)
  if (terminal.isInteractive) openInBrowser(url.href, env)
  return exitCodes.ok
}

/** Asks the system to show an address. That there is no browser is no error: the address is printed as well. */
export function openInBrowser(url: string, env: Environment): void {
  const hasScreen = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']
  if (!hasScreen) return
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
