import type { Actor } from '@bey/contract'

/** A person as every reply names them. Row-level security hides the name of who has left the organization. */
export function presentPerson(id: number | null, name: string | null, email: string | null): Actor {
  return { type: 'user', id: id === null ? '' : String(id), name: name ?? 'Former member', email }
}

/** A person, or the product itself where no person did it. */
export function presentActor(userId: number | null, name: string | null, email: string | null): Actor {
  return userId === null
    ? { type: 'system', id: '', name: 'Bey', email: null }
    : presentPerson(userId, name, email)
}
