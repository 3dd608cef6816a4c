import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from './clock.ts'

const lookEveryMs = 5_000

export type AbandonmentWatch = {
  /** Whoever looks after this sandbox was here. */
  claim(): void
  stop(): void
}

/**
 * Calls back once, with the reason, when the directory is gone, or when nobody has claimed the sandbox for so long.
 * Time is counted in looks: a machine that slept, or whose clock was set, has not abandoned anything.
 */
export function watchForAbandonment(
  clock: Pick<Clock, 'after'>,
  dir: string,
  claimWithinMs: number | undefined,
  onAbandoned: (reason: string) => void,
): AbandonmentWatch {
  let unclaimedMs = 0
  const check = () => {
    unclaimedMs += lookEveryMs
    if (!existsSync(join(dir, 'identity.json'))) return onAbandoned('Its directory is gone.')
    if (claimWithinMs !== undefined && unclaimedMs >= claimWithinMs)
      return onAbandoned(`No server has asked for it for ${Math.round(claimWithinMs / 60_000)} minutes.`)
    cancel = clock.after(lookEveryMs, check)
  }
  let cancel = clock.after(lookEveryMs, check)
  return {
    claim: () => (unclaimedMs = 0),
    stop: () => cancel(),
  }
}
