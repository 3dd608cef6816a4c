import { createClient } from '@bey/client'
import type { Client } from '@bey/client'
import { storage } from './storage.ts'

export interface SessionLink {
  organizationId: () => number | undefined
  /** The server said 401 to the present token. */
  onUnauthorized: () => void
}

let link: SessionLink | undefined

/** Every call of the console, with the stored token and the session's organization. */
export const api: Client = createClient({
  getToken: () => storage.read('token'),
  getOrganizationId: () => link?.organizationId(),
  onUnauthorized: () => link?.onUnauthorized(),
})

/** For the session alone, which itself calls the API. */
export function connectSession(next: SessionLink): void {
  link = next
}
