import type { Command, ControlFrame, LivePosition } from '@bey/contract'
import type { Follows } from './follows.ts'
import type { Outbox } from './outbox.ts'
import type { Peer } from './peer.ts'
import { frameOf } from './publish.ts'

export type SocketCommandsOptions = {
  follows: Follows
  outbox: Outbox
  say: (frame: ControlFrame) => void
  isOver: () => boolean
  position: (organizationId: number) => LivePosition
}

/** Follows and no longer follows what a socket asks for, and answers it. */
export function createSocketCommands({ follows, outbox, say, isOver, position }: SocketCommandsOptions) {
  function fail(commandId: string, error: string): void {
    say({ type: 'COMMAND_RESULT', id: commandId, payload: { commandId, success: false, error } })
  }

  async function handle(peer: Peer, commandId: string, command: Command): Promise<void> {
    const refusal = await follows.handleCommand(peer, command, isOver)
    if (refusal) {
      fail(commandId, refusal)
      sendMetricsFrame(peer, command, refusal)
      return
    }
    const payload = { commandId, success: true, position: position(peer.identity.organizationId) }
    say({ type: 'COMMAND_RESULT', id: commandId, payload })
    say({ type: 'SUBSCRIPTION_UPDATE', payload: { subscriptions: [...peer.subscriptions.values()] } })
    sendMetricsFrame(peer, command)
  }

  function sendMetricsFrame({ identity }: Peer, { type, payload }: Command, error?: string): void {
    if (isOver() || payload.kind !== 'cluster_metrics') return
    const { organizationId } = identity
    const { clusterId } = payload
    if (error !== undefined) {
      outbox.answer(frameOf({ organizationId, type: 'METRICS_STREAMING_ERROR', data: { clusterId, error } }))
      return
    }
    const moved = type === 'SUBSCRIBE' ? 'METRICS_STREAMING_STARTED' : 'METRICS_STREAMING_STOPPED'
    outbox.answer(frameOf({ organizationId, type: moved, data: { clusterId } }))
  }

  return { handle, fail }
}
