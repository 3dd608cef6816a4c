import { z } from 'zod'
import { organization, organizationName, user } from '../auth/endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { invitationRoles } from '../members/rules.ts'
import { member } from '../members/endpoints.ts'
import { actor, idParams, numericId, pageQuery, paged, timestamp } from '../base/schema.ts'
import { timeZone } from '../settings/endpoints.ts'

const organizationDetail = z
  .object({
    id: numericId,
    name: z.string(),
    /** An IANA name; times in mails of the organization are in it. */
    timeZone: z.string(),
    /** What an invitation proposes. */
    defaultRole: z.enum(invitationRoles),
    createdAt: timestamp,
    memberCount: z.number().int(),
    ownerCount: z.number().int(),
    /** While it waits to be deleted: by whom, since when, and when it is deleted. */
    deletion: z.object({ requestedBy: actor, requestedAt: timestamp, deletesAt: timestamp }).nullable(),
  })
  .meta({ id: 'OrganizationDetail' })
export type OrganizationDetail = z.infer<typeof organizationDetail>

const current = '/api/organization'

export const organizationEndpoints = {
  'organizations.list': endpoint({
    method: 'GET',
    path: '/api/organizations',
    summary: 'The organizations that the user belongs to',
    access: 'user',
    query: pageQuery,
    response: paged('organizations', organization),
  }),
  'organizations.create': endpoint({
    method: 'POST',
    path: '/api/organizations',
    summary: 'Create an organization and become its owner',
    access: 'user',
    body: z.strictObject({ name: organizationName, timeZone: timeZone.optional() }),
    response: z.object({ organization }),
    status: 201,
    errors: ['limit_reached'],
  }),
  'organizations.activate': endpoint({
    method: 'POST',
    path: '/api/organizations/{id}/activate',
    summary: 'Make an organization the active one of the user',
    access: 'user',
    withoutIdempotencyKey: 'Done twice, it is as it was.',
    params: idParams,
    response: user,
    errors: ['not_found'],
  }),
  'organization.get': endpoint({
    method: 'GET',
    path: current,
    summary: 'The current organization with its settings',
    access: 'organization.read',
    response: organizationDetail,
  }),
  'organization.update': endpoint({
    method: 'PATCH',
    path: current,
    summary: 'Change the settings of the current organization',
    access: 'organization.update',
    body: z.strictObject({
      name: organizationName.optional(),
      timeZone: timeZone.optional(),
      defaultRole: z.enum(invitationRoles).optional(),
    }),
    replyOf: 'organization.get',
    response: organizationDetail,
  }),
  'organization.transfer': endpoint({
    method: 'POST',
    path: `${current}/transfer`,
    summary: 'Make another member an owner and become an admin',
    access: 'organization.transfer',
    withoutIdempotencyKey: 'Done twice, the second is refused: the caller owns nothing any more.',
    stepUp: true,
    keys: 'none',
    body: z.strictObject({ userId: numericId }),
    outdates: ['/api/members'],
    response: z.object({ owner: member }),
    errors: ['not_found', 'conflict'],
  }),
  'organization.leave': endpoint({
    method: 'POST',
    path: `${current}/leave`,
    summary: 'Leave the current organization; tokens that belong to the person end',
    access: 'organization.read',
    withoutIdempotencyKey: 'Done twice, the second is refused: the caller is gone.',
    keys: 'none',
    response: z.null(),
    status: 204,
    worksWhileDeleting: true,
    errors: ['conflict'],
  }),
  'organization.impact': endpoint({
    method: 'GET',
    path: `${current}/impact`,
    summary: 'What goes with the current organization when it is deleted, and what keeps it from that',
    access: 'organization.delete',
    response: z.object({
      /** What is deleted, each a count with its noun: "12 secrets". */
      losses: z.array(z.string()).max(20),
      /** What must be done first, as sentences; empty if nothing. */
      obstacles: z.array(z.string()).max(5),
      graceDays: z.number().int(),
    }),
  }),
  'organization.delete': endpoint({
    method: 'DELETE',
    path: current,
    summary: 'Delete the current organization after seven days, in which it can only be read',
    access: 'organization.delete',
    stepUp: true,
    keys: 'none',
    replyOf: 'organization.get',
    response: organizationDetail,
    status: 202,
    errors: ['conflict'],
  }),
  'organization.restore': endpoint({
    method: 'POST',
    path: `${current}/restore`,
    summary: 'Undo the deletion of the current organization',
    access: 'organization.delete',
    withoutIdempotencyKey: 'Done twice, it is as it was.',
    keys: 'none',
    replyOf: 'organization.get',
    response: organizationDetail,
    worksWhileDeleting: true,
  }),
} as const
