import type { SecretUse } from '@bey/contract'
import { Checkbox } from '../../ui/checkbox.tsx'

const headings: Record<SecretUse['onRotation'], string> = {
  follows: 'Follow automatically',
  restarts: 'Follow, and restart',
  breaks: 'Break until they get the new value',
}

export interface RotationEffectsProps {
  uses: readonly SecretUse[]
  /** Keys of the breaking uses that were accepted. */
  accepted: ReadonlySet<string>
  onAccept: (accepted: ReadonlySet<string>) => void
}

export const keyOfUse = ({ type, id }: SecretUse) => `${type} ${id}`

/** What a rotation does to whatever uses the secret. Each thing that breaks is accepted by a tick of its own. */
export function RotationEffects({ uses, accepted, onAccept }: RotationEffectsProps) {
  if (uses.length === 0) return <p className="text-text-2">Nothing is known to use this secret.</p>
  const groups = (['breaks', 'restarts', 'follows'] as const).map((effect) => ({
    effect,
    members: uses.filter(({ onRotation }) => onRotation === effect),
  }))
  const accept = (key: string, isAccepted: boolean) => {
    const next = new Set(accepted)
    if (isAccepted) next.add(key)
    else next.delete(key)
    onAccept(next)
  }
  return (
    <div className="flex flex-col gap-3">
      {groups.map(({ effect, members }) =>
        members.length === 0 ? null : (
          <section key={effect} aria-label={headings[effect]}>
            <h3 className={effect === 'breaks' ? 'font-medium text-danger' : 'font-medium'}>
              {headings[effect]}
            </h3>
            <ul className="mt-1 divide-y divide-line rounded-control border border-line">
              {members.map((use) => (
                <li key={keyOfUse(use)} className="px-3 py-1.5">
                  {effect === 'breaks' ? (
                    <Checkbox
                      label={`${use.name} may break`}
                      hint={use.detail}
                      checked={accepted.has(keyOfUse(use))}
                      onChange={(event) => accept(keyOfUse(use), event.target.checked)}
                    />
                  ) : (
                    <>
                      {use.name} <span className="text-text-3">{use.detail}</span>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
    </div>
  )
}
