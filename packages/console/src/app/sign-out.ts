import { session } from '../data/session.ts'
import { toast } from '../ui/toast.ts'

/** Ends the session; the guard then shows /login. */
export async function signOut(): Promise<void> {
  await session.logout()
  toast('success', 'Signed out successfully')
}
