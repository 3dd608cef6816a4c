import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@bey/client'
import { CommandError, exitCodes } from '../errors.ts'
import { spanOf } from '../output/table.ts'
import { printReply } from '../output/print.ts'
import { openSession, version, type Session } from '../session.ts'
import { cleanUrl, readSettings, writeSettings, type Settings } from '../settings.ts'
import type { Call } from './hand-made.ts'
import { openInBrowser } from './open.ts'

/** Shows a code, waits until somebody confirms it in the console, and keeps the token in the file of settings. */
export async function logIn({ session: given, args, values }: Call): Promise<number> {
  const url = args[0] === undefined ? given.target.url : cleanUrl(args[0])
  // Without the token of another server.
  const session = openSession(given, { ...given.flags, url, token: '' })
  const { client, terminal, signal } = session
  warnOfPlainHttp(url, session)
  const begun = await client.call(
    'deviceLogin.begin',
    {
      body: {
        hostName: machineName(),
        client: 'bey',
        version,
        platform: `${process.platform} ${process.arch}`,
      },
    },
    { signal },
  )
  const remaining = spanOf(Date.parse(begun.expiresAt) - Date.now())
  terminal.note(
    `Open ${begun.completeUrl}\nand compare this code:  ${begun.userCode}\nWaiting, ${remaining} left …\n`,
  )
  if (!values['no-browser'] && terminal.isInteractive) openInBrowser(begun.completeUrl, session.env)
  const { token, user } = await tokenOf(session, begun)
  const name = new URL(url).host
  const organization =
    user.organizations.find(({ id }) => id === user.activeOrganizationId) ?? user.organizations[0]
  const settings = readSettings(session.settingsPath)
  const context = { url, token, email: user.email, organizationId: organization?.id ?? null }
  const changed: Settings = { current: name, contexts: { ...settings.contexts, [name]: context } }
  writeSettings(session.settingsPath, changed)
  if (given.flags.json === undefined && given.flags.output === undefined)
    terminal.out(`Logged in to ${url} as ${user.email}${organization ? `, in ${organization.name}` : ''}.\n`)
  else
    printReply(terminal, { url, email: user.email, organization: organization?.name ?? null }, given.flags, {
      columns: [],
    })
  return exitCodes.ok
}

type Begun = { deviceCode: string; intervalSeconds: number }

async function tokenOf({ client, signal }: Session, { deviceCode, intervalSeconds }: Begun) {
  let interval = intervalSeconds
  for (;;) {
    await wait(interval * 1000, undefined, { signal })
    const reply = await client
      .call('deviceLogin.poll', { body: { deviceCode } }, { signal })
      .catch((error: unknown) => {
        // A server that restarts, or a network that is away for a moment, does not end the login.
        if (error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429))
          return undefined
        throw error
      })
    switch (reply?.status) {
      case 'complete':
        return reply.session
      case 'denied':
        throw new CommandError('The login was refused in the browser.', exitCodes.refused)
      case 'expired':
        throw new CommandError('This code has ended. Run bey login again.', exitCodes.refused)
      case 'slow_down':
      case 'pending':
        interval = reply.intervalSeconds
        break
      case undefined:
        interval = Math.min(30, interval * 2)
    }
  }
}

function warnOfPlainHttp(url: string, { terminal }: Session): void {
  const { protocol, hostname: host } = new URL(url)
  const isLocal = host === 'localhost' || host === '[::1]' || host.startsWith('127.')
  if (protocol === 'http:' && !isLocal)
    terminal.note(`Warning: ${url} is not encrypted. Others in the network can read the token.\n`)
}

/** The name of this machine, without what names may not contain. */
function machineName(): string {
  const name = hostname()
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, 60)
  return name === '' ? 'unnamed' : name
}
