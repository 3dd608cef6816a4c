import type { Organization } from '@bey/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../lib/api.ts'
import { session } from './session.ts'

/** Creates an organization and makes it the current one. */
export function useCreateOrganization() {
  // Kept until it succeeds: pressing again after a lost answer must not create a second one.
  const attempt = useRef({ name: '', key: '' })
  return useMutation({
    mutationFn: async (name: string): Promise<Organization> => {
      if (attempt.current.name !== name) attempt.current = { name, key: randomKey() }
      const { organization } = await api.call(
        'organizations.create',
        { body: { name } },
        { idempotencyKey: attempt.current.key },
      )
      await session.switchOrganization(organization.id)
      return organization
    },
  })
}

// randomUUID exists on https and localhost only.
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
}
