import type { Clock } from '../../platform/clock.ts'
import type { AccessComparison } from '../databases/network-access.ts'

/** How often files that say who may connect are looked at. */
const lookMs = 2_000

type Followed = { organizationId: number; stamp: string; readStamp: () => Promise<string> }

/** Notices when a file that says who may connect to a database of a network is written, and says of which network. */
export function createAccessWatch(
  clock: Pick<Clock, 'setInterval'>,
  onChange: (organizationId: number, networkId: string) => void,
) {
  const followed = new Map<string, Followed>()
  let isChecking = false

  async function check(): Promise<void> {
    for (const [id, each] of followed) {
      // A file that cannot be read is one more state of it: the comparison says why.
      // oxlint-disable-next-line no-await-in-loop -- a few files, of which none waits for the others
      const now = await each.readStamp().catch(() => 'unreadable')
      if (now === each.stamp || followed.get(id) !== each) continue
      each.stamp = now
      onChange(each.organizationId, id)
    }
  }

  const stop = clock.setInterval(() => {
    if (isChecking) return
    isChecking = true
    void check().finally(() => (isChecking = false))
  }, lookMs)

  return {
    follow(
      { organizationId, id }: { organizationId: number; id: string },
      { stamp, readStamp }: Pick<AccessComparison, 'stamp' | 'readStamp'>,
    ): void {
      if (readStamp === null) followed.delete(id)
      else followed.set(id, { organizationId, stamp, readStamp })
    },
    forget: (id: string) => followed.delete(id),
    stop,
  }
}
