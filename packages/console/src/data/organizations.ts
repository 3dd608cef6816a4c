import type { CallInput, Organization, OrganizationDetail } from '@bey/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../lib/api.ts'
import { apiKey, apiQuery } from './api-query.ts'
import { randomKey } from './random-key.ts'
import { session, useOrganizationId } from './session.ts'

/** Creates an organization and makes it the current one. */
export function useCreateOrganization() {
  // Kept until it succeeds: pressing again after a lost answer must not create a second one.
  const attempt = useRef({ text: '', key: '' })
  return useMutation({
    mutationFn: async (body: CallInput<'organizations.create'>['body']): Promise<Organization> => {
      const text = JSON.stringify(body)
      if (attempt.current.text !== text) attempt.current = { text, key: randomKey() }
      const { organization } = await api.call(
        'organizations.create',
        { body },
        { idempotencyKey: attempt.current.key },
      )
      await session.switchOrganization(organization.id)
      return organization
    },
  })
}

/** The current organization with its settings. */
export function useOrganization() {
  return useQuery(apiQuery(useOrganizationId(), 'organization.get', {}))
}

export function useUpdateOrganization() {
  const keep = useKeepOrganization()
  return useMutation({
    mutationFn: (body: CallInput<'organization.update'>['body']) => api.call('organization.update', { body }),
    onSuccess: keep,
  })
}

/** What goes with the organization when it is deleted, and what keeps it from that. */
export function useDeletionImpact({ isEnabled }: { isEnabled: boolean }) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'organization.impact', {}),
    staleTime: 0,
    enabled: isEnabled,
  })
}

export function useDeleteOrganization() {
  const keep = useKeepOrganization()
  return useMutation({ mutationFn: () => api.call('organization.delete', {}), onSuccess: keep })
}

export function useRestoreOrganization() {
  const keep = useKeepOrganization()
  return useMutation({ mutationFn: () => api.call('organization.restore', {}), onSuccess: keep })
}

/** Leaves the current organization and goes on in another one, if there is one. */
export function useLeaveOrganization() {
  return useMutation({
    mutationFn: async () => {
      await api.call('organization.leave', {})
      await session.refresh()
    },
  })
}

/** Shows what the server answered; the names in menus and the notice of a deletion are the user's. */
function useKeepOrganization() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return async (detail: OrganizationDetail) => {
    cache.setQueryData(apiKey(organizationId, 'organization.get'), detail)
    await session.refresh()
  }
}
