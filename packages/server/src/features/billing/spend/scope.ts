import { roleHas, type Role } from '@bey/contract'
import type { Filters } from './dimensions.ts'

export type Scope = { scope: 'all' | 'own'; scopeText: string | null; filters: Filters }

/** What a caller may see: all of it, or what belongs to them by the owner of the resource at the time of use. */
export function scopeOf({ role, user }: { role: Role; user: { id: number } }, filters: Filters): Scope {
  if (roleHas(role, 'billing.readAll')) return { scope: 'all', scopeText: null, filters }
  return {
    scope: 'own',
    scopeText: 'You see what your resources cost: those that you own. Owners and admins see all.',
    filters: { ...filters, owner: String(user.id) },
  }
}
