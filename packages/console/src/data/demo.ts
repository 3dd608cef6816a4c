import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../lib/api.ts'
import { randomKey } from './random-key.ts'
import { session, useUser } from './session.ts'
import { useRead } from './use-read.ts'

/** How often an open page asks, which keeps the clusters of a demo awake. */
const lookMs = 60_000
const startingMs = 1_500

/** The demo that one is in: asked for again while its clusters start, and then once a minute. */
export function useDemo() {
  const demo = useRead('demo.get', {}, { refreshMs: lookMs })
  const isStarting = demo.data?.clusters.some(({ isReady }) => !isReady) === true
  useRead('demo.get', {}, { refreshMs: startingMs, isEnabled: isStarting })
  return demo
}

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

/** Removes the demo and goes on in another organization. */
export function useRemoveDemo() {
  return useMutation({
    mutationFn: async () => {
      await api.call('demo.remove', {})
      await session.refresh()
    },
  })
}
