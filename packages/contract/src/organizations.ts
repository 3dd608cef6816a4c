import { z } from 'zod'
import { organization, organizationName, user } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { idParams, pageQuery, paged } from './schema.ts'

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
    body: z.strictObject({ name: organizationName }),
    response: z.object({ organization }),
    status: 201,
    isIdempotent: true,
    errors: ['limit_reached'],
  }),
  'organizations.activate': endpoint({
    method: 'POST',
    path: '/api/organizations/{id}/activate',
    summary: 'Make an organization the active one of the user',
    access: 'user',
    params: idParams,
    response: user,
    errors: ['not_found'],
  }),
} as const
