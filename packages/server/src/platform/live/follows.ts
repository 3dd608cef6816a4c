import type { Command, Subscription } from '@bey/contract'
import { followedEntity, namedResources, subscriptionKey, subscriptionTable } from '@bey/contract'
import { mayTouch, whyNot } from '../keys/key-rights.ts'
import type { Log } from '../log.ts'
import type { FollowHooks } from './follow-hooks.ts'
import type { Peer } from './peer.ts'

/** Things that one socket can follow. */
const maxSubscriptions = 200

export type FollowsOptions = {
  hooks: FollowHooks
  log: Log
  /** Whether the organization has the thing. */
  canFollow: (organizationId: number, subscription: Subscription) => Promise<boolean>
}

export type Follows = {
  /** Subscribes or unsubscribes. Resolves with why not, or nothing when it is done. */
  handleCommand: (peer: Peer, command: Command, isOver: () => boolean) => Promise<string | undefined>
  releaseAll: () => void
}

/** What one socket follows. */
export function createFollows({ hooks, log, canFollow }: FollowsOptions): Follows {
  const releases = new Map<string, () => void>()

  async function follow(
    peer: Peer,
    key: string,
    subscription: Subscription,
    isOver: () => boolean,
  ): Promise<string | undefined> {
    const { organizationId } = peer.identity
    if (peer.subscriptions.has(key)) return undefined
    if (peer.subscriptions.size >= maxSubscriptions) {
      return `One connection can follow at most ${maxSubscriptions} things`
    }
    const { permission } = subscriptionTable[subscription.kind]
    const reason = whyNot(peer.identity, permission)
    if (reason !== undefined) return reason
    const followed = followedEntity(subscription)
    const named = followed ? namedResources({ [`${followed.type}Id`]: followed.id }) : []
    if (!mayTouch(peer.identity, named)) return 'This API key is limited to other things'
    if (!(await canFollow(organizationId, subscription))) {
      return 'There is no such thing in this organization'
    }
    if (isOver()) return undefined
    // Listed first: what is started may publish at once.
    peer.subscriptions.set(key, subscription)
    try {
      releases.set(key, hooks.add(organizationId, key, subscription))
      return undefined
    } catch (error) {
      peer.subscriptions.delete(key)
      log.error({ err: error, subscription }, 'What somebody wants to follow could not be started')
      return 'It cannot be followed at the moment'
    }
  }

  return {
    async handleCommand(peer, { type, payload }, isOver) {
      const key = subscriptionKey(payload)
      if (type === 'SUBSCRIBE') return follow(peer, key, payload, isOver)
      peer.subscriptions.delete(key)
      releases.get(key)?.()
      releases.delete(key)
      return undefined
    },
    releaseAll() {
      for (const release of releases.values()) release()
      releases.clear()
    },
  }
}
