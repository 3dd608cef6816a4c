import { z } from 'zod'
import { newPassword, organization, session, userName } from '../auth/endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { invitationBounds, invitationRoles, invitationStatuses } from './rules.ts'
import { actor, pageQuery, paged, searchText, timestamp, uuid } from '../base/schema.ts'

const { atOnce, minHours, maxHours } = invitationBounds

const invitation = z
  .object({
    id: uuid,
    email: z.string(),
    role: z.enum(invitationRoles),
    status: z.enum(invitationStatuses),
    /** Null when the person has no account any more. */
    invitedBy: actor,
    createdAt: timestamp,
    /** When its link was last made. */
    sentAt: timestamp,
    expiresAt: timestamp,
    /**
     * What became of the mail: `none` where none was to be sent or the server sends none. `failed` has the reason of the
     * mail server.
     */
    mail: z.object({ status: z.enum(['none', 'waiting', 'sent', 'failed']), reason: z.string().nullable() }),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof invitation>

const invited = z.object({ invitation, link: z.string() })

const result = z
  .object({
    email: z.string(),
    outcome: z.enum(['invited', 'already_member', 'already_invited', 'invalid']),
    /** What happened, as a sentence. */
    message: z.string(),
    /** Of an invited address: the link to give to the person. */
    link: z.string().nullable(),
    invitation: invitation.nullable(),
  })
  .meta({ id: 'InvitationResult' })
export type InvitationResult = z.infer<typeof result>

const expiresInHours = z.number().int().min(minHours).max(maxHours).default(maxHours)
const params = z.object({ id: uuid })
const token = z.strictObject({ token: z.string().min(1).max(200) })
const base = '/api/invitations'

/** What somebody sees who opens the link of an invitation. */
const preview = z
  .object({
    organizationName: z.string(),
    invitedBy: actor,
    email: z.string(),
    role: z.enum(invitationRoles),
    expiresAt: timestamp,
    /** Whether the address has an account: log in, or create one. */
    hasAccount: z.boolean(),
  })
  .meta({ id: 'InvitationPreview' })
export type InvitationPreview = z.infer<typeof preview>

export const invitationEndpoints = {
  'invitations.list': endpoint({
    method: 'GET',
    path: base,
    summary: 'Invitations that wait to be accepted or have expired, newest first',
    access: 'members.invite',
    query: pageQuery.extend({ search: searchText }),
    response: paged('invitations', invitation).extend({
      /** Whether the server sends mails; otherwise links are passed on by hand. */
      isMailConfigured: z.boolean(),
    }),
  }),
  'invitations.create': endpoint({
    method: 'POST',
    path: base,
    summary: 'Invite several people; answers a result for each address',
    access: 'members.invite',
    body: z.strictObject({
      emails: z
        .array(z.string().max(320))
        .min(1, 'Enter an address.')
        .max(atOnce, `Invite at most ${atOnce} at once.`),
      role: z.enum(invitationRoles),
      expiresInHours,
      /** Sends the link to each address, where the server sends mails. */
      isMailed: z.boolean().default(true),
    }),
    response: z.object({ results: z.array(result).max(atOnce) }),
    status: 201,
    errors: ['limit_reached', 'conflict'],
  }),
  'invitations.link': endpoint({
    method: 'GET',
    path: `${base}/{id}/link`,
    summary: 'The link of an invitation that waits, to give to the person; recorded in the audit log',
    access: 'members.invite',
    params,
    response: z.object({ link: z.string() }),
    hasEffect: true,
    errors: ['not_found', 'invitation_over'],
  }),
  'invitations.resend': endpoint({
    method: 'POST',
    path: `${base}/{id}/resend`,
    summary: 'Make a new link, which ends the one before, and extend the invitation',
    access: 'members.invite',
    params,
    body: z.strictObject({ expiresInHours, isMailed: z.boolean().default(true) }),
    response: invited,
    errors: ['not_found', 'invitation_over'],
  }),
  'invitations.revoke': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    summary: 'Revoke an invitation; its link opens nothing any more',
    access: 'members.invite',
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'invitation_over'],
  }),
  'invitations.preview': endpoint({
    method: 'POST',
    path: `${base}/preview`,
    summary: 'What a link invites to; it is not used up',
    access: 'public',
    body: token,
    response: preview,
    errors: ['not_found', 'invitation_over'],
  }),
  'invitations.accept': endpoint({
    method: 'POST',
    path: `${base}/accept`,
    summary: 'Join the organization of an invitation to the address of the logged-in user',
    access: 'user',
    withoutIdempotencyKey: 'Done twice, the second is refused: the invitation is used up.',
    body: token,
    response: z.object({ organization }),
    errors: ['not_found', 'invitation_over', 'wrong_account', 'limit_reached'],
  }),
  'invitations.signup': endpoint({
    method: 'POST',
    path: `${base}/signup`,
    summary: 'Create the account of an invited address and join the organization',
    access: 'public',
    body: z.strictObject({ token: z.string().min(1).max(200), name: userName, password: newPassword }),
    response: session,
    status: 201,
    rateLimit: 'signup',
    errors: ['not_found', 'invitation_over', 'email_taken'],
  }),
  'invitations.reject': endpoint({
    method: 'POST',
    path: `${base}/reject`,
    summary: 'Decline an invitation',
    access: 'public',
    body: token,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'invitation_over'],
  }),
} as const
