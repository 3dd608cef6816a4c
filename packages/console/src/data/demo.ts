import { useMutation } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
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

/** Removes the demo and goes on in another organization. */
export function useRemoveDemo() {
  const hasHome = useUser()?.organizations.some(({ demoEndsAt }) => demoEndsAt === undefined) === true
  return useMutation({
    mutationFn: async () => {
      await api.call('demo.remove', {})
      // A visitor without an account is removed with the demo.
      await (hasHome ? session.refresh() : session.logout())
    },
  })
}
