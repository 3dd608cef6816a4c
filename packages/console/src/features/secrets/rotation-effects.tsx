import type { SecretUse } from '@bey/contract'
import { Checkbox } from '../../ui/checkbox.tsx'
import { formatCount } from '../../lib/format.ts'
import { effectOf } from './rotation-text.ts'

const headings: Record<SecretUse['onRotation'], string> = {
  follows: 'Follow automatically',
  restarts: 'Follow, and restart',
  breaks: 'Break until they get the new value',
}

export interface RotationEffectsProps {
  uses: readonly SecretUse[]
  /** A run restarts what has a copy. */
  isRun?: boolean
  /** Keys of the breaking uses that were accepted. */
  accepted: ReadonlySet<string>
  onAccept: (accepted: ReadonlySet<string>) => void
}

export const keyOfUse = ({ type, id }: SecretUse) => `${type} ${id}`

/** What a rotation does to whatever uses the secret. Each thing that breaks is accepted by a tick of its own. */
export function RotationEffects({ uses, isRun = false, accepted, onAccept }: RotationEffectsProps) {
  if (uses.length === 0) return <p className="text-text-2">Nothing is known to use this secret.</p>
  const groups = (['breaks', 'restarts', 'follows'] as const).map((effect) => ({
    effect,
    members: uses.filter((use) => effectOf(use, isRun) === effect),
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
                    <span className="flex items-baseline justify-between gap-3">
                      <span className="min-w-0 break-words">
                        {use.name} <span className="text-small text-text-2">{use.detail}</span>
                      </span>
                      {use.pods === null ? null : (
                        <span className="shrink-0 text-small text-text-2 tabular-nums">
                          {formatCount(use.pods, 'pod')}
                        </span>
                      )}
                    </span>
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
