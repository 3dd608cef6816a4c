import type { ClientFrame, Command, Subscription } from '@bey/contract'
import { liveLimits } from '@bey/contract'
import { createFollowing } from './following.ts'
import type { Outcome } from './following.ts'
import { createListeners } from './listeners.ts'
import type { Pending } from './pending.ts'
import { liveTexts } from './texts.ts'

export type CommandsOptions = {
  pending: Pending
  nextId: () => string
  /** Throws where there is no connection. */
  send: (frame: ClientFrame) => void
  isConnected: () => boolean
  /** A subscriber failed. */
  onError: (error: unknown) => void
  /** A command that nobody waits for failed. */
  onFailure: (error: unknown) => void
}

export type Commands = {
  command: (command: Command) => Promise<void>
  subscribe: (subscription: Subscription, onResult?: Outcome) => () => void
  /** Follows again what was followed before the connection was lost; undefined where that was nothing. */
  followAgain: () => Promise<unknown> | undefined
  /** The connection is lost: no subscription is in effect. */
  forgetResults: () => void
}

/** Commands on the socket, and what is followed by them over any number of connections. */
export function createCommands(options: CommandsOptions): Commands {
  const { pending, nextId, send, isConnected } = options
  const following = createFollowing()

  async function command(payload: Command): Promise<void> {
    const id = nextId()
    send({ type: 'COMMAND', id, payload })
    await pending.wait(id, liveLimits.commandTimeoutMs, liveTexts.commandTimeout(payload.type))
  }

  async function follow(subscription: Subscription): Promise<void> {
    try {
      await command({ type: 'SUBSCRIBE', payload: subscription })
      following.settle(subscription, undefined)
    } catch (error) {
      // Whatever is still followed when the connection is back is asked for again.
      if (isConnected()) following.settle(subscription, asError(error))
    }
  }

  return {
    command,
    subscribe(subscription, onResult = () => {}) {
      const outcome = createListeners<[Error | undefined]>(options.onError)
      outcome.add(onResult)
      const { isFirst, release } = following.add(subscription, outcome.call)
      if (isFirst && isConnected()) void follow(subscription)
      return () => {
        if (!release() || !isConnected()) return
        command({ type: 'UNSUBSCRIBE', payload: subscription }).catch(options.onFailure)
      }
    },
    followAgain() {
      const followed = following.list().map(follow)
      return followed.length === 0 ? undefined : Promise.all(followed)
    },
    forgetResults: following.forgetResults,
  }
}

/** What was thrown, as an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
