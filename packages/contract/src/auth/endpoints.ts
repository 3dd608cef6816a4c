import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { roles } from '../base/permissions.ts'
import { isEmail } from './email-rules.ts'
import { isAcceptablePassword, maxPasswordLength } from './password-rules.ts'
import { nameText, numericId, timestamp } from '../base/schema.ts'

export const organization = z
  .object({
    id: numericId,
    name: z.string(),
    role: z.enum(roles),
    /** Only there while it waits to be deleted: when that happens. */
    deletesAt: timestamp.optional(),
    /** Only there while its policies ask for a second factor, now or from this time on, and the user has none. */
    secondFactorFrom: timestamp.optional(),
    /** Only there for a demo, whose data is seeded: when it is removed by itself. */
    demoEndsAt: timestamp.optional(),
    /** Only there, and true, where its policies refuse the present session because that began with a password. */
    refusesPassword: z.literal(true).optional(),
  })
  .meta({ id: 'Organization' })
export type Organization = z.infer<typeof organization>

/** A user with the organizations they belong to. */
export const user = z
  .object({
    id: numericId,
    email: z.string(),
    name: z.string(),
    organizations: z.array(organization).max(1000),
    active_organization_id: numericId.nullable(),
    /** The same as `active_organization_id`; sign-up's reply is specified with this spelling. */
    activeOrganizationId: numericId.nullable(),
    /** Only there, and true, for the account that the instance names as its developer's. It grants nothing. */
    isDeveloper: z.boolean().optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
    /** Who is really there, where the session is an impersonated one; without an id if nobody had logged in. */
    impersonator: z
      .object({ id: numericId.nullable(), name: z.string(), email: z.string().nullable() })
      .optional(),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof user>

/** A session that has begun: its token, and whose it is. */
export const session = z.object({ token: z.string(), user })

export const secondFactorMethods = ['totp', 'passkey', 'recovery'] as const
export type SecondFactorMethod = (typeof secondFactorMethods)[number]

/** The first step of a sign-in succeeded; the ticket takes it to the second, which decides. */
const challenge = z
  .object({
    secondFactor: z.object({
      ticket: z.string(),
      methods: z.array(z.enum(secondFactorMethods)).max(3),
      expiresAt: timestamp,
    }),
  })
  .meta({ id: 'SecondFactorChallenge' })
export type SecondFactorChallenge = z.infer<typeof challenge>['secondFactor']

/** A session, or what is still missing for one. */
export const signInReply = z.union([session, challenge])
export type SignInReply = z.infer<typeof signInReply>

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .refine(isEmail, 'Enter a valid email address, like name@example.com.')

export const organizationName = nameText()

const login = z.strictObject({
  email,
  password: z.string().min(1, 'Enter your password.').max(maxPasswordLength),
})

export const userName = nameText('Enter your name.')

export const newPassword = z
  .string()
  .max(maxPasswordLength)
  .refine(isAcceptablePassword, 'Use at least 8 characters with a number and a special character.')

const signup = z.strictObject({ name: userName, email, password: newPassword, organizationName })

const passwordChange = z.strictObject({
  currentPassword: z.string().min(1, 'Enter your current password.').max(maxPasswordLength),
  newPassword,
})

export const authEndpoints = {
  'auth.login': endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Log in with email and password',
    access: 'public',
    body: login,
    response: signInReply,
    rateLimit: 'password',
    errors: ['invalid_credentials'],
  }),
  'auth.signup': endpoint({
    method: 'POST',
    path: '/api/auth/signup',
    summary: 'Create an account together with its organization',
    access: 'public',
    body: signup,
    response: session,
    status: 201,
    rateLimit: 'signup',
    errors: ['email_taken', 'signup_closed'],
  }),
  'auth.me': endpoint({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'The logged-in user',
    access: 'user',
    response: user,
  }),
  'auth.rename': endpoint({
    method: 'PATCH',
    path: '/api/auth/me',
    summary: 'Change the name of the logged-in user',
    access: 'user',
    body: z.strictObject({ name: userName }),
    response: user,
  }),
  'auth.changePassword': endpoint({
    method: 'PUT',
    path: '/api/auth/password',
    summary: 'Change the password of the logged-in user; every other session of theirs is ended',
    access: 'user',
    body: passwordChange,
    response: z.object({ endedSessions: z.number().int() }),
    rateLimit: 'password',
    errors: ['invalid_credentials'],
  }),
  'auth.logout': endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End this session; its open sockets are closed',
    access: 'user',
    response: z.null(),
    status: 204,
  }),
  'auth.godmodeStatus': endpoint({
    method: 'GET',
    path: '/api/godmode/status',
    summary: 'Whether impersonation for development is enabled',
    access: 'public',
    response: z.object({ enabled: z.boolean(), warning: z.string() }),
  }),
} as const
