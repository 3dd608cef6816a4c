import type { Clock } from '../clock.ts'

export type Coalesced = {
  /** Something changed: what is being built will be built again. */
  touch: () => void
  /** Whether it is being built or about to be. */
  isBusy: () => boolean
  cancel: () => void
}

/**
 * Builds something at once, then for as long as more changes come at most every `spacingMs`. What was overtaken
 * by a change while it was built is not delivered but built again, so that nothing older follows something newer.
 */
export function coalesce<T>(options: {
  spacingMs: number
  clock: Clock
  build: () => Promise<T>
  deliver: (built: T) => void
  onError: (error: unknown) => void
}): Coalesced {
  let isBusy = false
  let isStale = false
  let isCancelled = false
  let cancelTimer = () => {}

  async function build(): Promise<void> {
    isStale = false
    try {
      const built = await options.build()
      if (!isStale && !isCancelled) options.deliver(built)
    } catch (error) {
      options.onError(error)
    }
    cancelTimer = options.clock.setTimeout(rest, options.spacingMs)
  }

  function rest(): void {
    isBusy = false
    if (isStale && !isCancelled) start()
  }

  function start(): void {
    isBusy = true
    void build()
  }

  return {
    touch() {
      isStale = true
      if (!isBusy && !isCancelled) start()
    },
    isBusy: () => isBusy,
    cancel() {
      isCancelled = true
      cancelTimer()
    },
  }
}
