import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError, UsageError } from './errors.ts'
import type { GlobalFlags } from './arguments.ts'

/** One server that was logged in to. */
type Context = { url: string; token: string; email: string; organizationId: number | null }

/** The file of settings. Its tokens are as good as passwords, so only its owner reads it. */
export type Settings = { current: string | null; contexts: Record<string, Context> }

export type Environment = Readonly<Record<string, string | undefined>>

const none: Settings = { current: null, contexts: {} }
const defaultUrl = 'http://localhost:8080'

/** Where the settings are, by the XDG base directories. */
export function settingsPath(env: Environment): string {
  const base = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '.', '.config')
  return join(base, 'bey', 'config.json')
}

/** Throws CommandError where the file is broken: overwriting it would lose logins. */
export function readSettings(path: string): Settings {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return none
    throw new CommandError(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  try {
    // Written by `writeSettings`.
    return { ...none, ...(JSON.parse(text) as Partial<Settings>) }
  } catch {
    throw new CommandError(`${path} is not JSON. Mend it, or delete it and run bey login.`)
  }
}

/** Writes the file whole or not at all, readable by its owner alone. */
export function writeSettings(path: string, settings: Settings): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

/** Where a command goes, and as whom. */
export type Target = { url: string; token: string | undefined; organizationId: number | undefined }

/** Flags win over the environment, which wins over the context. A token of a context is never sent to another server. */
export function targetOf(flags: GlobalFlags, env: Environment, settings: Settings): Target {
  const name = flags.context ?? env['BEY_CONTEXT'] ?? settings.current
  const context = name === null ? undefined : settings.contexts[name]
  if (flags.context !== undefined && context === undefined)
    throw new UsageError(`There is no context "${flags.context}". See bey context list.`)
  const url = cleanUrl(flags.url ?? env['BEY_URL'] ?? context?.url ?? defaultUrl)
  const isOfContext = context !== undefined && context.url === url
  const organization = flags.organization ?? env['BEY_ORGANIZATION']
  return {
    url,
    token: flags.token ?? env['BEY_TOKEN'] ?? (isOfContext ? context.token : undefined),
    organizationId:
      organization === undefined
        ? isOfContext
          ? (context.organizationId ?? undefined)
          : undefined
        : organizationIdOf(organization),
  }
}

function organizationIdOf(text: string): number {
  const id = Number(text)
  if (Number.isInteger(id) && id > 0) return id
  throw new UsageError(`An organization is named by its number, not by "${text}". See bey org list.`)
}

/** The origin of a server, from what people type: `bey.example.com` means https, `localhost:8080` http. */
export function cleanUrl(text: string): string {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text)
  const whole = /^https?:\/\//.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`
  try {
    return new URL(whole).origin
  } catch (cause) {
    throw new UsageError(`"${text}" is no address of a server.`, { cause })
  }
}
