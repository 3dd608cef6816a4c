import type { OauthProvider, SettingSource } from '@bey/contract'
import type { Config } from '../../config.ts'
import type { ServerSeal } from '../../platform/crypto/server-seal.ts'
import type { Database } from '../../platform/db/database.ts'
import type { MailSettings } from '../../platform/mail/settings.ts'
import { readSetting, type StoredSetting } from './store.ts'

export type ProviderSettings = {
  id: OauthProvider
  label: string
  issuer: string
  clientId: string
  clientSecret: string
}

type SmtpSettings = {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  user: string
  from: string
}

type Sourced<T> = { source: SettingSource; value: T }

/** The settings of the server as they are at this moment: the environment wins over what is stored. */
export type InstanceSettings = {
  publicUrl(): Promise<Sourced<string | undefined>>
  signup(): Promise<Sourced<'open' | 'invite'>>
  smtp(): Promise<Sourced<(SmtpSettings & { password: string | undefined }) | undefined>>
  /** As nodemailer takes them. */
  mail(): Promise<MailSettings | undefined>
  provider(id: OauthProvider): Promise<Sourced<ProviderSettings | undefined>>
}

export const presets: Record<OauthProvider, { label: string; issuer: string }> = {
  github: { label: 'GitHub', issuer: 'https://github.com' },
  google: { label: 'Google', issuer: 'https://accounts.google.com' },
  oidc: { label: 'Single sign-on', issuer: '' },
}

export const providerSettingName = (id: OauthProvider) => `oauth.${id}`

type Environment = Pick<Config, 'publicUrl' | 'signup' | 'smtp' | 'oauth'>
type General = { publicUrl: string | null; signup: 'open' | 'invite' }

export function createInstanceSettings(options: {
  database: Pick<Database, 'asSystem'>
  serverSeal: ServerSeal
  environment: Environment
}): InstanceSettings {
  const { database, serverSeal, environment } = options
  const read = (name: string): Promise<StoredSetting | undefined> =>
    database.asSystem('read the settings of the server', (db) => readSetting(db, serverSeal, name))
  // What the service writes under the name.
  const general = async () => (await read('general'))?.value as General | undefined

  async function smtp() {
    const given = environment.smtp
    if (given) return { source: 'environment', value: smtpOf(given) } as const
    const stored = await read('smtp')
    if (stored === undefined) return { source: 'none', value: undefined } as const
    const value = { ...(stored.value as SmtpSettings), password: stored.secret }
    return { source: 'stored', value } as const
  }

  return {
    smtp,
    async publicUrl() {
      if (environment.publicUrl !== undefined) return { source: 'environment', value: environment.publicUrl }
      const stored = (await general())?.publicUrl ?? undefined
      return { source: stored === undefined ? 'none' : 'stored', value: stored }
    },
    async signup() {
      if (environment.signup !== undefined) return { source: 'environment', value: environment.signup }
      const stored = (await general())?.signup
      return { source: stored === undefined ? 'none' : 'stored', value: stored ?? 'open' }
    },
    async mail() {
      if (environment.smtp) return environment.smtp
      const { value } = await smtp()
      return value && { url: mailUrl(value), from: value.from }
    },
    async provider(id) {
      const given = environment.oauth[id]
      if (given) return { source: 'environment', value: { id, ...presets[id], ...given } }
      const stored = await read(providerSettingName(id))
      if (stored?.secret === undefined) return { source: 'none', value: undefined }
      const kept = stored.value as Pick<ProviderSettings, 'clientId' | 'issuer' | 'label'>
      return { source: 'stored', value: { id, ...kept, clientSecret: stored.secret } }
    },
  }
}

/** The address that nodemailer takes. */
function mailUrl({ host, port, security, user, password }: SmtpSettings & { password: string | undefined }) {
  const url = new URL(
    `${security === 'tls' ? 'smtps' : 'smtp'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
  )
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password ?? '')
  if (security === 'starttls') url.searchParams.set('requireTLS', 'true')
  if (security === 'none') url.searchParams.set('ignoreTLS', 'true')
  return url.href
}

function smtpOf({ url: address, from }: MailSettings): SmtpSettings & { password: string | undefined } {
  const url = new URL(address)
  const isTls = url.protocol === 'smtps:'
  return {
    host: url.hostname,
    port: Number(url.port) || (isTls ? 465 : 587),
    security: isTls ? 'tls' : url.searchParams.get('ignoreTLS') === 'true' ? 'none' : 'starttls',
    user: decodeURIComponent(url.username),
    password: url.password === '' ? undefined : decodeURIComponent(url.password),
    from,
  }
}
