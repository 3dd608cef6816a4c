import type { CallInput, Organization } from '@bey/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../lib/api.ts'
import { randomKey } from './random-key.ts'
import { session } from './session.ts'

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

/** Leaves the current organization and goes on in another one, if there is one. */
export function useLeaveOrganization() {
  return useMutation({
    mutationFn: async () => {
      await api.call('organization.leave', {})
      await session.refresh()
    },
  })
}
