import type { SecondFactorMethod, SignInReply, User } from '@bey/contract'
import { act } from '../../platform/act.ts'
import { serverTrail } from '../../platform/audit/refusals.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PublicCaller } from '../../platform/http/handlers.ts'
import type { KnownDevices } from '../../platform/http/known-devices.ts'
import { loadUser } from './load-user.ts'
import type { SignInMethod } from './method.ts'
import { beginSession, type DeviceOfSession } from './sessions.ts'
import { issueTicket } from './tickets.ts'
import { secondFactorsOf } from './two-factor/store.ts'

export type Session = { token: string; user: User }

/** Where a sign-in came from, for anyone who is notified of it. */
type NewDevice = { user: User; ip: string; userAgent: string; at: Date }
export type OnNewDevice = (db: Db, device: NewDevice) => Promise<void>

export type SignInOptions = {
  clock: Clock
  developerEmail: string | undefined
  devices: Pick<KnownDevices, 'deviceOf'>
  onNewDevice: OnNewDevice
  /** The site to which passkeys are bound; undefined while any may be. */
  passkeySite(): Promise<string | undefined>
}

type Arrival = {
  userId: number
  method: SignInMethod
  secondFactor?: SecondFactorMethod
  /** The account was just made, so that every device is new to it. */
  isFirst?: boolean
  /** A program on this machine is logged in, not a browser. */
  device?: DeviceOfSession
}

/** The one way into a session: anyone who proved a first factor comes through here. All need `asSystem`. */
export type SignIn = {
  /** Begins a session, or asks for the second factor where the user has one. */
  begin(db: Db, arrival: Arrival, caller: PublicCaller): Promise<SignInReply>
  /** Begins a session: everything that was asked for has been proved. */
  complete(db: Db, arrival: Arrival, caller: PublicCaller): Promise<Session>
}

export function createSignIn(options: SignInOptions): SignIn {
  const { clock, developerEmail, devices, onNewDevice, passkeySite } = options

  async function complete(db: Db, arrival: Arrival, caller: PublicCaller): Promise<Session> {
    const { userId, method, secondFactor, device } = arrival
    const token = await beginSession(db, userId, caller, clock, method, undefined, device)
    const user = await loadUser(db, userId, developerEmail, method)
    const isNewDevice =
      !arrival.isFirst && devices.deviceOf({ cookie: caller.cookie }, user.email) === undefined
    const who = {
      ...caller,
      organizationId: user.activeOrganizationId ?? serverTrail,
      user,
      via: 'session',
    } as const
    await act(db, who, {
      action: 'session.begin',
      class: 'auth',
      ...(method !== 'password' || secondFactor || device
        ? { diff: { method, ...(secondFactor && { secondFactor }), ...(device && { device: device.name }) } }
        : {}),
    })
    if (isNewDevice) {
      await onNewDevice(db, { user, ip: caller.ip, userAgent: caller.userAgent, at: clock.now() })
    }
    return { token, user }
  }

  return {
    complete,
    async begin(db, arrival, caller) {
      const methods = await secondFactorsOf(db, arrival.userId, await passkeySite())
      if (methods.length === 0) return complete(db, arrival, caller)
      const { token: ticket, expiresAt } = await issueTicket(db, 'second_factor', {
        userId: arrival.userId,
        data: { method: arrival.method },
        now: clock.now(),
      })
      return { secondFactor: { ticket, methods, expiresAt: expiresAt.toISOString() } }
    },
  }
}
