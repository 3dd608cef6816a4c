import { z } from 'zod'
import { session } from './endpoints.ts'
import { deviceLoginBounds, normalizeUserCode } from './device-login-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { nameText, timestamp } from '../base/schema.ts'

const userCode = z
  .string()
  .max(40)
  .overwrite(normalizeUserCode)
  .refine((code) => code.length === 9, 'Enter the code as the terminal shows it, like WDJB-MJHT.')

const params = z.object({ code: userCode })

/** A program that waits to be logged in. `hostName`, `client`, `version` and `platform` are its own claims. */
const deviceLogin = z
  .object({
    userCode: z.string(),
    hostName: z.string(),
    client: z.string(),
    version: z.string(),
    platform: z.string(),
    askedAt: timestamp,
    expiresAt: timestamp,
    /** From here on the request counts as old, and confirming it needs a reason. */
    oldAt: timestamp,
    /** Where the request came from. */
    ip: z.string(),
    /** Where this browser's requests come from. */
    browserIp: z.string(),
    /** Both are the same IPv4 address, or in the same IPv6 network of 64 bits. */
    isSameNetwork: z.boolean(),
    /** When the user last logged a machine of this name in, of the sessions that are live. */
    machineKnownSince: timestamp.nullable(),
    /** Confirming needs a reason: another network, or older than 5 minutes. */
    needsReason: z.boolean(),
  })
  .meta({ id: 'DeviceLogin' })
export type DeviceLogin = z.infer<typeof deviceLogin>

const pollReply = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), intervalSeconds: z.number().int() }),
  /** Polled too soon: wait for the interval, which has grown. */
  z.object({ status: z.literal('slow_down'), intervalSeconds: z.number().int() }),
  z.object({ status: z.literal('denied') }),
  /** Expired, used, or unknown. */
  z.object({ status: z.literal('expired') }),
  z.object({ status: z.literal('complete'), session }),
])
export type DeviceLoginPoll = z.infer<typeof pollReply>

/** Logs a program in that has no browser of its own, as RFC 8628 describes it. */
export const deviceLoginEndpoints = {
  'deviceLogin.begin': endpoint({
    method: 'POST',
    path: '/api/auth/device',
    summary: 'Ask to log a program in; a person confirms its code in the console',
    access: 'public',
    body: z.strictObject({
      hostName: nameText('Enter the name of the machine.'),
      client: z.string().trim().min(1).max(40),
      version: z.string().trim().min(1).max(40),
      platform: z.string().trim().min(1).max(40),
    }),
    response: z.object({
      /** Known to the program alone; it polls with it. */
      deviceCode: z.string(),
      /** For the person, such as `WDJB-MJHT`. */
      userCode: z.string(),
      verificationUrl: z.string(),
      /** The same with the code in it. */
      completeUrl: z.string(),
      intervalSeconds: z.number().int(),
      expiresAt: timestamp,
    }),
    status: 201,
    rateLimit: 'device',
  }),
  'deviceLogin.poll': endpoint({
    method: 'POST',
    path: '/api/auth/device/token',
    summary: 'Ask what became of a login by code; answers the token once',
    access: 'public',
    body: z.strictObject({ deviceCode: z.string().min(1).max(200) }),
    response: pollReply,
  }),
  'deviceLogin.get': endpoint({
    method: 'GET',
    path: '/api/auth/device/{code}',
    summary: 'Who asks to be logged in with a code, and from where',
    access: 'user',
    params,
    response: deviceLogin,
    rateLimit: 'device',
    errors: ['ticket_expired'],
  }),
  'deviceLogin.confirm': endpoint({
    method: 'POST',
    path: '/api/auth/device/{code}/confirm',
    summary: 'Log the program with this code in as the logged-in user',
    access: 'user',
    stepUp: true,
    params,
    body: z.strictObject({
      /** Required where the request came from another network or is old. */
      reason: z.string().trim().max(deviceLoginBounds.maxReasonLength).optional(),
    }),
    response: z.null(),
    status: 204,
    outdates: [],
    rateLimit: 'device',
    errors: ['ticket_expired', 'conflict', 'forbidden'],
  }),
  'deviceLogin.refuse': endpoint({
    method: 'POST',
    path: '/api/auth/device/{code}/refuse',
    summary: 'Refuse the program with this code; the code has then ended',
    access: 'user',
    params,
    response: z.null(),
    status: 204,
    outdates: [],
    rateLimit: 'device',
    errors: ['ticket_expired'],
  }),
} as const
