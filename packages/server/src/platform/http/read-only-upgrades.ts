import { type ReadOnlyMode, refusedReadOnly } from '../read-only.ts'
import { refuseUpgrade, type Upgrade } from './upgrades.ts'

/** What people do in pods through a connection of their own; watches over a WebSocket only read. */
const acts = /\/(exec|attach|portforward)$/

/** Opens no shell and no port while Bey is read-only. */
export function holdUpgrades(upgrade: Upgrade, readOnly: Pick<ReadOnlyMode, 'state'>): Upgrade {
  return {
    takes: (path, request) => upgrade.takes(path, request),
    handle(request, socket, head, address) {
      const state = readOnly.state()
      const [path = ''] = (request.url ?? '').split('?', 1)
      if (state === undefined || !acts.test(path)) return upgrade.handle(request, socket, head, address)
      const { message, retryAfterSeconds } = refusedReadOnly(state)
      refuseUpgrade(socket, 503, message, retryAfterSeconds)
    },
  }
}
