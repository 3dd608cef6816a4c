import { createClient } from '@bey/client'
import { session } from '../data/session.ts'
import { isUnauthorized } from '../lib/error-text.ts'
import { storage } from '../lib/storage.ts'
import { leaving } from '../lib/unsaved.ts'
import { toast } from '../ui/toast.ts'

/** Ends the session, after asking where something typed would be lost; the guard then shows /login. */
export function signOut(): Promise<void> {
  return leaving(endSession)
}

/** Ends the session without a question; during impersonation the tester's own session as well. */
export async function endSession(): Promise<void> {
  const own = storage.read('impersonatorToken')
  storage.remove('impersonatorToken')
  const results = await Promise.all([session.logout(), own === null || endOwnSession(own)])
  // Whoever logs in next in this browser is not shown what this user did.
  void import('../lib/logger.ts').then(
    ({ logger }) => logger.clear(),
    () => storage.remove('logLines'),
  )
  if (results.every(Boolean)) return toast('success', 'Signed out successfully')
  toast('warning', 'Signed out in this browser only', {
    description: 'The server did not answer. The session stays valid there until it expires.',
  })
}

async function endOwnSession(token: string): Promise<boolean> {
  try {
    await createClient({ getToken: () => token, getOrganizationId: () => undefined }).call('auth.logout', {})
    return true
  } catch (error) {
    return isUnauthorized(error)
  }
}
