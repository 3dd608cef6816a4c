import type { CallInput, InvitationPreview, Organization } from '@bey/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, sessionApi } from '../lib/api.ts'
import { tabStorage } from '../lib/storage.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import { randomKey } from './random-key.ts'
import { session, useOrganizationId } from './session.ts'

/** Invites several addresses; answers a result for each. */
export function useInvite() {
  const refetch = useRefetchInvitations()
  // Kept until it succeeds: pressing again after a lost answer must not invite twice.
  const attempt = useRef({ body: '', key: '' })
  return useMutation({
    mutationFn: (body: CallInput<'invitations.create'>['body']) => {
      const text = JSON.stringify(body)
      if (attempt.current.body !== text) attempt.current = { body: text, key: randomKey() }
      return api.call('invitations.create', { body }, { idempotencyKey: attempt.current.key })
    },
    onSuccess: () => {
      attempt.current = { body: '', key: '' }
      refetch()
    },
    // The answer holds links that let people in.
    gcTime: 0,
  })
}

/** The link of an invitation, kept nowhere. */
export async function invitationLink(id: string): Promise<string> {
  return (await api.call('invitations.link', { params: { id } })).link
}

function useRefetchInvitations() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, apiPath('invitations.list'))
}

/** What a link invites to. It needs no session. */
export function previewInvitation(token: string): Promise<InvitationPreview> {
  return sessionApi.call('invitations.preview', { body: { token } })
}

/** Joins the organization of a link and works in it from now on. */
export async function acceptInvitation(token: string): Promise<Organization> {
  const { organization } = await api.call('invitations.accept', { body: { token } })
  forgetInvitation()
  await session.switchOrganization(organization.id)
  return organization
}

/** Creates the account of the invited address, joins, and is signed in. */
export async function signUpInvited(body: CallInput<'invitations.signup'>['body']): Promise<void> {
  await session.enter(sessionApi.call('invitations.signup', { body }))
}

export async function rejectInvitation(token: string): Promise<void> {
  await sessionApi.call('invitations.reject', { body: { token } })
  forgetInvitation()
}

/** Keeps the invitation of this tab while its guest signs in at a provider, whose address must not carry it. */
export function keepInvitation(token: string): void {
  tabStorage.write('invitation', token)
}

/** The token behind the hash of the address, else the one that was kept for this tab. */
export function invitationToken(): string {
  const inAddress = location.hash.slice(1)
  const kept = inAddress === '' ? tabStorage.read('invitation') : null
  return kept ?? inAddress
}

/** After it was answered. */
function forgetInvitation(): void {
  tabStorage.remove('invitation')
}
