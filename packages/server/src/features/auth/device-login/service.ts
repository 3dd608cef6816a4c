import type { DeviceLogin, DeviceLoginPoll } from '@bey/contract'
import { deviceLoginBounds } from '@bey/contract/auth/device-login-rules'
import type { Clock } from '../../../platform/clock.ts'
import { newToken } from '../../../platform/crypto/token.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { networkOf } from '../../../platform/http/client-address.ts'
import type { Caller, Handlers, PublicCaller } from '../../../platform/http/handlers.ts'
import { auditAccount } from '../account-audit.ts'
import type { SignIn } from '../sign-in.ts'
import { loadUser } from '../load-user.ts'
import type { SignInMethod } from '../method.ts'
import { newUserCode } from './codes.ts'
import * as store from './store.ts'

export type DeviceLoginService = {
  /** Answers both codes; only their hashes are kept. */
  begin(program: store.Program, caller: PublicCaller): Promise<BeginReply>
  /** Answers the token to one poll only. */
  poll(deviceCode: string, caller: PublicCaller): Promise<DeviceLoginPoll>
  /** These throw `ticket_expired` for a code that is used, refused, expired or unknown. */
  get(userCode: string, caller: Caller): Promise<DeviceLogin>
  /** Throws `conflict` where a reason is needed and missing, `forbidden` for an impersonated session. */
  confirm(userCode: string, reason: string | undefined, caller: Caller): Promise<null>
  refuse(userCode: string, caller: Caller): Promise<null>
}

type BeginReply = {
  deviceCode: string
  userCode: string
  verificationUrl: string
  completeUrl: string
  intervalSeconds: number
  expiresAt: string
}

type Pending = NonNullable<Awaited<ReturnType<typeof store.findPending>>>

const { lifetimeMinutes, oldAfterMinutes, slowDownSeconds, minReasonLength } = deviceLoginBounds

/** Logs programs in that have no browser (RFC 8628): they show a code, and a person confirms it in the console. */
export function createDeviceLogins(options: {
  database: Database
  clock: Clock
  developerEmail: string | undefined
  signIn: Pick<SignIn, 'complete'>
  /** Where the console is found, without a slash at its end. */
  address(caller: PublicCaller): Promise<string>
}): DeviceLoginService {
  const { database, clock, developerEmail, signIn, address } = options
  const system = <T>(work: (db: Db) => Promise<T>) => database.asSystem('log in by code', work)

  async function begin(program: store.Program, caller: PublicCaller): Promise<BeginReply> {
    const now = clock.now()
    const expiresAt = new Date(now.getTime() + lifetimeMinutes * 60_000)
    const deviceCode = newToken('bey_device')
    const { intervalSeconds } = deviceLoginBounds
    const userCode = await system(async (db) => {
      for (;;) {
        const code = newUserCode()
        const request = {
          deviceCode,
          userCode: code,
          program,
          ip: caller.ip,
          intervalSeconds,
          now,
          expiresAt,
        }
        if (await store.insertDeviceLogin(db, request)) return code
      }
    })
    const verificationUrl = `${(await address(caller)).replace(/\/+$/, '')}/device`
    return {
      deviceCode,
      userCode,
      verificationUrl,
      completeUrl: `${verificationUrl}?code=${userCode}`,
      intervalSeconds,
      expiresAt: expiresAt.toISOString(),
    }
  }

  function poll(deviceCode: string, caller: PublicCaller): Promise<DeviceLoginPoll> {
    const now = clock.now()
    return system(async (db) => {
      const found = await store.holdByDeviceCode(db, deviceCode, now)
      if (found === undefined) return { status: 'expired' }
      const { id, status, userId, method, confirmedAt, hostName, intervalSeconds, polledAt } = found
      if (status === 'refused') {
        await store.deleteDeviceLogin(db, id)
        return { status: 'denied' }
      }
      if (status === 'confirmed' && userId !== null && method !== null && confirmedAt !== null) {
        await store.deleteDeviceLogin(db, id)
        // Policies ask how a session began, so this one began as the session that confirmed it; the column holds what
        // `beginSession` wrote.
        const arrival = { userId, method: method as SignInMethod, device: { name: hostName, confirmedAt } }
        return { status: 'complete', session: await signIn.complete(db, arrival, caller) }
      }
      const isTooSoon = polledAt !== null && now.getTime() - polledAt.getTime() < intervalSeconds * 1000
      const next = isTooSoon ? intervalSeconds + slowDownSeconds : intervalSeconds
      await store.markPolled(db, id, now, next)
      return { status: isTooSoon ? 'slow_down' : 'pending', intervalSeconds: next }
    })
  }

  function get(userCode: string, caller: Caller): Promise<DeviceLogin> {
    const now = clock.now()
    return system(async (db) => {
      const found = requireFound(await store.findPending(db, userCode, now))
      const knownSince = await store.machineKnownSince(db, caller.user.id, found.hostName, now)
      const { hostName, client, version, platform, ip } = found
      return {
        userCode,
        hostName,
        client,
        version,
        platform,
        ip,
        browserIp: caller.ip,
        askedAt: found.createdAt.toISOString(),
        expiresAt: found.expiresAt.toISOString(),
        ...originOf(found, caller, now),
        machineKnownSince: knownSince?.toISOString() ?? null,
      }
    })
  }

  async function confirm(userCode: string, reason: string | undefined, caller: Caller): Promise<null> {
    if (caller.impersonator) {
      throw new AppError(
        'forbidden',
        'An impersonated session cannot log a program in: it would outlive the impersonation.',
      )
    }
    const now = clock.now()
    await system(async (db) => {
      const found = requireFound(await store.holdPending(db, userCode, now))
      const { needsReason, isSameNetwork } = originOf(found, caller, now)
      if (needsReason && (reason ?? '').length < minReasonLength) {
        const cause = isSameNetwork
          ? `The request is older than ${oldAfterMinutes} minutes.`
          : `The request came from ${found.ip}, not from the address of this browser, ${caller.ip}.`
        throw new AppError('conflict', `${cause} Give a reason of at least ${minReasonLength} characters.`)
      }
      await store.markConfirmed(db, found.id, { userId: caller.user.id, sessionId: caller.sessionId })
      await record(db, caller, 'device_login.confirm', found, { ...(reason && { reason }) })
    })
    return null
  }

  async function refuse(userCode: string, caller: Caller): Promise<null> {
    await system(async (db) => {
      const found = requireFound(await store.holdPending(db, userCode, clock.now()))
      await store.markRefused(db, found.id)
      await record(db, caller, 'device_login.refuse', found, {})
    })
    return null
  }

  async function record(db: Db, caller: Caller, action: string, found: Pending, diff: object): Promise<void> {
    const { hostName, client, version, platform, ip } = found
    await auditAccount(db, await loadUser(db, caller.user.id, developerEmail), caller, {
      action,
      diff: { device: hostName, program: `${client} ${version} on ${platform}`, askedFrom: ip, ...diff },
    })
  }

  return { begin, poll, get, confirm, refuse }
}

/** Whether a request looks like one that the person at this browser began a moment ago. */
function originOf({ ip, createdAt }: Pending, caller: Caller, now: Date) {
  const isSameNetwork = networkOf(ip) === networkOf(caller.ip)
  const oldAt = new Date(createdAt.getTime() + oldAfterMinutes * 60_000)
  return { isSameNetwork, oldAt: oldAt.toISOString(), needsReason: !isSameNetwork || now >= oldAt }
}

function requireFound(found: Pending | undefined): Pending {
  if (found) return found
  throw new AppError('ticket_expired', 'This code has ended. Run bey login again.')
}

export type DeviceLoginRouteNames =
  | 'deviceLogin.begin'
  | 'deviceLogin.poll'
  | 'deviceLogin.get'
  | 'deviceLogin.confirm'
  | 'deviceLogin.refuse'

export function deviceLoginRoutes(service: DeviceLoginService): Handlers<DeviceLoginRouteNames> {
  return {
    'deviceLogin.begin': ({ body, caller }) => service.begin(body, caller),
    'deviceLogin.poll': ({ body, caller }) => service.poll(body.deviceCode, caller),
    'deviceLogin.get': ({ params, caller }) => service.get(params.code, caller),
    'deviceLogin.confirm': ({ params, body, caller }) => service.confirm(params.code, body.reason, caller),
    'deviceLogin.refuse': ({ params, caller }) => service.refuse(params.code, caller),
  }
}
