import { createClient, type Client } from '@bey/client'
import { versionHeader } from '@bey/contract'
import type { GlobalFlags } from './arguments.ts'
import { httpFetch } from './http-fetch.ts'
import { readSettings, settingsPath, targetOf, type Environment, type Target } from './settings.ts'
import type { Terminal } from './terminal.ts'
import { createVersionNote } from './version-note.ts'

/** What every command has: where it goes, as whom, and whom it talks to. */
export type Session = {
  flags: GlobalFlags
  env: Environment
  terminal: Terminal
  target: Target
  settingsPath: string
  client: Client
  /** Sends a request of its own, which says what it comes from and hears which version answers. */
  fetch: typeof fetch
  /** Ends what is under way when the person presses Ctrl+C. */
  signal: AbortSignal
}

export type SessionParts = Pick<Session, 'env' | 'terminal' | 'signal'>

export function openSession({ env, terminal, signal }: SessionParts, flags: GlobalFlags): Session {
  const path = settingsPath(env)
  const target = targetOf(flags, env, readSettings(path))
  const noteVersion = createVersionNote(terminal, version, target.url)
  const send: typeof fetch = async (input, init) => {
    const response = await httpFetch(input instanceof Request ? input.url : input, {
      ...init,
      headers: withUserAgent(init?.headers),
    })
    noteVersion(response.headers.get(versionHeader))
    return response
  }
  const client = createClient({
    baseUrl: target.url,
    getToken: () => target.token,
    getOrganizationId: () => target.organizationId,
    fetch: send,
  })
  return { flags, env, terminal, target, settingsPath: path, client, fetch: send, signal }
}

/** The version of this program, which is that of the package. */
export const version = '0.1.0'

/** The client gives headers by name. */
function withUserAgent(headers: RequestInit['headers']): Record<string, string> {
  return {
    ...(headers as Record<string, string>),
    'user-agent': `bey/${version} (${process.platform} ${process.arch})`,
  }
}
