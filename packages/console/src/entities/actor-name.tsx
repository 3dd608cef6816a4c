import type { Actor } from '@bey/contract'

/** Who did something, in a narrow column: the name, and the e-mail address on hover. Elsewhere `actorText` says both. */
export function ActorName({ actor: { name, email } }: { actor: Pick<Actor, 'name' | 'email'> }) {
  return <span title={email ?? undefined}>{name}</span>
}
