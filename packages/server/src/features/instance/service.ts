import type { CallInput, Instance, InstanceProvider, OauthProvider } from '@bey/contract'
import { oauthProviders } from '@bey/contract/sign-in'
import { sql } from 'drizzle-orm'
import { audit } from '../../platform/audit/audit.ts'
import type { ServerSeal } from '../../platform/crypto/server-seal.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/handlers.ts'
import { sendMail } from '../../platform/mail/smtp.ts'
import { type InstanceSettings, presets, providerSettingName } from './settings.ts'
import { deleteSetting, writeSetting } from './store.ts'

type Body<N extends 'instance.updateGeneral' | 'instance.updateSmtp' | 'instance.updateProvider'> =
  NonNullable<CallInput<N>['body']>

export type InstanceService = {
  get(caller: Caller): Promise<Instance>
  updateGeneral(body: Body<'instance.updateGeneral'>, caller: Caller): Promise<Instance>
  updateSmtp(body: Body<'instance.updateSmtp'>, caller: Caller): Promise<Instance>
  removeSmtp(caller: Caller): Promise<Instance>
  testSmtp(caller: Caller): Promise<{ isSent: boolean; detail: string }>
  updateProvider(id: OauthProvider, body: Body<'instance.updateProvider'>, caller: Caller): Promise<Instance>
  removeProvider(id: OauthProvider, caller: Caller): Promise<Instance>
}

/** Settings of the whole server. All throw `forbidden` for whoever is no owner of the first organization. */
export function createInstanceService(options: {
  database: Pick<Database, 'asSystem'>
  serverSeal: ServerSeal
  settings: InstanceSettings
}): InstanceService {
  const { database, serverSeal, settings } = options
  const system = <T>(work: (db: Db) => Promise<T>) =>
    database.asSystem('change the settings of the server', work)

  async function present(caller: Caller): Promise<Instance> {
    const [publicUrl, signup, { source, value: smtp }] = [
      await settings.publicUrl(),
      await settings.signup(),
      await settings.smtp(),
    ]
    const origin = publicUrl.value ?? `http://${caller.host}`
    const providers: InstanceProvider[] = []
    for (const id of oauthProviders) {
      const { source: of, value } = await settings.provider(id)
      providers.push({
        id,
        source: of,
        label: value?.label ?? presets[id].label,
        issuer: value?.issuer ?? presets[id].issuer,
        clientId: value?.clientId ?? '',
        redirectUri: `${origin}/api/auth/oauth/${id}/callback`,
      })
    }
    return {
      publicUrl: { ...publicUrl, value: publicUrl.value ?? '' },
      signup,
      smtp: {
        source,
        host: smtp?.host ?? '',
        port: smtp?.port ?? 587,
        security: smtp?.security ?? 'starttls',
        user: smtp?.user ?? '',
        hasPassword: Boolean(smtp?.password),
        from: smtp?.from ?? '',
      },
      providers,
    }
  }

  async function change(
    caller: Caller,
    {
      action,
      diff,
      work,
    }: { action: string; diff?: Record<string, unknown>; work: (db: Db) => Promise<unknown> },
  ): Promise<Instance> {
    await system(async (db) => {
      const organizationId = await requireOperator(db, caller)
      await work(db)
      await audit(db, {
        organizationId,
        actor: { type: 'user', id: caller.user.id, display: caller.user.email },
        via: 'console',
        action,
        class: 'update',
        target: { type: 'instance', name: action.split('.')[1] ?? '' },
        ...(diff && { diff }),
        ip: caller.ip,
        userAgent: caller.userAgent,
        requestId: caller.requestId,
      })
    })
    return present(caller)
  }

  async function requireStored(source: 'environment' | 'stored' | 'none', what: string): Promise<void> {
    if (source !== 'environment') return
    throw new AppError('conflict', `The environment of the server sets ${what}, which wins. Change it there.`)
  }

  return {
    async get(caller) {
      await system((db) => requireOperator(db, caller))
      return present(caller)
    },

    async updateGeneral(body, caller) {
      const [publicUrl, signup] = [await settings.publicUrl(), await settings.signup()]
      if (body.publicUrl !== (publicUrl.value ?? null))
        await requireStored(publicUrl.source, 'BEY_PUBLIC_URL')
      if (body.signup !== signup.value) await requireStored(signup.source, 'BEY_SIGNUP')
      return change(caller, {
        action: 'instance.update_general',
        diff: {
          publicUrl: [publicUrl.value ?? null, body.publicUrl],
          signup: [signup.value, body.signup],
        },
        work: (db) => writeSetting(db, serverSeal, 'general', { value: body, secret: null }),
      })
    },

    async updateSmtp({ password, ...value }, caller) {
      const { source, value: known } = await settings.smtp()
      await requireStored(source, 'BEY_SMTP_URL')
      // A stored password is for the server that it was entered for: another one must not receive it.
      const isElsewhere = known !== undefined && (known.host !== value.host || known.user !== value.user)
      const secret =
        password === undefined ? (isElsewhere ? null : undefined) : password === '' ? null : password
      return change(caller, {
        action: 'instance.update_smtp',
        diff: { host: value.host, port: value.port, user: value.user, from: value.from },
        work: (db) => writeSetting(db, serverSeal, 'smtp', { value, secret }),
      })
    },

    async removeSmtp(caller) {
      await requireStored((await settings.smtp()).source, 'BEY_SMTP_URL')
      return change(caller, { action: 'instance.remove_smtp', work: (db) => deleteSetting(db, 'smtp') })
    },

    async testSmtp(caller) {
      await system((db) => requireOperator(db, caller))
      const mail = await settings.mail()
      if (mail === undefined) return { isSent: false, detail: 'No mail server is set.' }
      const letter = {
        id: uuidv7(),
        recipient: caller.user.email,
        subject: 'Test mail of Bey',
        text: 'This server can send mail.\n',
      }
      try {
        await sendMail(mail, letter)
        return { isSent: true, detail: `A test mail was sent to ${caller.user.email}.` }
      } catch (error) {
        if (!(error instanceof Error)) throw error
        return { isSent: false, detail: error.message.slice(0, 500) }
      }
    },

    async updateProvider(id, { clientId, clientSecret, issuer, label }, caller) {
      const { source, value: known } = await settings.provider(id)
      await requireStored(source, `the client of ${presets[id].label}`)
      const address = id === 'google' ? presets.google.issuer : (issuer ?? presets[id].issuer)
      if (address === '')
        throw missing('issuer', 'Enter the address of the provider, such as https://login.example.com.')
      // A stored secret is for the provider and the client that it was entered for.
      const isSame = known?.clientId === clientId && known.issuer === address
      if (clientSecret === undefined && !isSame) throw missing('clientSecret', 'Enter the client secret.')
      const value = { clientId, issuer: address.replace(/\/$/, ''), label: label || presets[id].label }
      return change(caller, {
        action: 'instance.update_provider',
        diff: { provider: id, clientId, issuer: value.issuer },
        work: (db) => writeSetting(db, serverSeal, providerSettingName(id), { value, secret: clientSecret }),
      })
    },

    async removeProvider(id, caller) {
      await requireStored((await settings.provider(id)).source, `the client of ${presets[id].label}`)
      return change(caller, {
        action: 'instance.remove_provider',
        diff: { provider: id },
        work: (db) => deleteSetting(db, providerSettingName(id)),
      })
    },
  }
}

/** Answers the first organization, of which the caller must be an owner. Reads of secrets do not exist. */
async function requireOperator(db: Db, caller: Caller): Promise<number> {
  const { rows } = await db.execute<{ id: number; isOwner: boolean }>(sql`
    select o.id, exists (
      select 1 from memberships m
      where m.organization_id = o.id and m.user_id = ${caller.user.id} and m.role = 'OWNER'
    ) as "isOwner"
    from organizations o order by o.id limit 1`)
  const [first] = rows
  if (first?.isOwner) return first.id
  throw new AppError(
    'forbidden',
    'Only an owner of the first organization of this server, or its environment, sets these.',
  )
}

function missing(path: string, message: string): AppError {
  return new AppError('invalid_request', message, { errors: [{ path, message }] })
}
