import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../lib/api.ts'
import { randomKey } from './random-key.ts'
import { session, useUser } from './session.ts'

/** The user's own demo among their organizations, if they have one. */
export function useOwnDemo() {
  return useUser()?.organizations.find(({ demoEndsAt, role }) => demoEndsAt !== undefined && role === 'OWNER')
}

/** Makes a demo, or goes back to the one there is, and enters it. */
export function useEnterDemo() {
  const own = useOwnDemo()
  // Kept until it succeeds: pressing again after a lost answer must not ask for a second one.
  const key = useRef(randomKey())
  return useMutation({
    mutationFn: async () => {
      const { organization } = own
        ? { organization: own }
        : await api.call('demo.create', {}, { idempotencyKey: key.current })
      key.current = randomKey()
      await session.switchOrganization(organization.id)
    },
  })
}
