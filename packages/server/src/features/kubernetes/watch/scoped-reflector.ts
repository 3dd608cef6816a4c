import { type LossReason, type Reflector, type ReflectorOptions, startReflector } from './reflector.ts'

export type ScopedReflectorOptions<T> = Omit<ReflectorOptions<T>, 'onList'> & {
  isNamespaced: boolean
  nameOf: (kept: T) => string | undefined
  /** What is kept of all objects, or of those of one namespace where each is watched by itself. */
  onList: (kept: T[], namespace?: string) => void
}

/**
 * Keeps up with one kind over all namespaces. Where the cluster forbids that, and its connection names namespaces, each
 * of these is watched by itself: what one of them forbids is left out, and only if all do is the kind refused.
 */
export function startScopedReflector<T>(options: ScopedReflectorOptions<T>): Reflector {
  let isStopped = false
  let isNarrowed = false
  let parts: Reflector[] = []

  async function narrow(refuse: () => void): Promise<void> {
    const connection = await options.connect().catch(() => undefined)
    const namespaces = connection?.namespaces ?? []
    if (isStopped || isNarrowed) return
    if (namespaces.length === 0) return refuse()
    isNarrowed = true
    for (const part of parts) part.stop()
    parts = watchEach(options, namespaces)
  }

  const whole = startReflector({
    ...options,
    onLost(reason, why) {
      const refuse = () => options.onLost(reason, why)
      if (why.isRefused && options.isNamespaced) void narrow(refuse)
      else refuse()
    },
  })
  parts = [whole]
  return {
    kick: () => parts.forEach((part) => part.kick()),
    stop() {
      isStopped = true
      for (const part of parts) part.stop()
    },
  }
}

type Part<T> = {
  namespace: string
  state: 'new' | 'live' | 'lost' | 'refused' | 'missing'
  first: T[] | undefined
}

function watchEach<T>(options: ScopedReflectorOptions<T>, namespaces: readonly string[]): Reflector[] {
  const parts: Part<T>[] = namespaces.map((namespace) => ({ namespace, state: 'new', first: undefined }))
  let isComplete = false

  /** A first list that is only half of it would look like the whole: it waits for every part to have an answer. */
  function complete(): void {
    if (isComplete || parts.some((part) => !isOutOfReach(part) && part.first === undefined)) return
    if (parts.every(isOutOfReach)) return
    isComplete = true
    options.onList(parts.flatMap(({ first }) => first ?? []))
    for (const part of parts) part.first = undefined
    settle()
  }

  function settle(): void {
    if (isComplete && parts.every((part) => part.state === 'live' || isOutOfReach(part))) options.onLive()
  }

  /** What was read of a namespace that may not be read any more is not shown as if it were there. */
  function drop(part: Part<T>, reason: string, why: LossReason): void {
    part.first = undefined
    if (parts.every(isOutOfReach)) return options.onLost(reason, why)
    if (isComplete) options.onList([], part.namespace)
    complete()
    settle()
  }

  return parts.map((part) =>
    startReflector({
      ...options,
      path: pathIn(options.path, part.namespace),
      // A page of one namespace says nothing about the others.
      onPage: undefined,
      onList(kept) {
        if (isComplete) return options.onList(kept, part.namespace)
        part.first = kept
        complete()
      },
      onChange: (type, object) => {
        if (isComplete) return options.onChange(type, object)
        // The list that it belongs to waits still, and is read as it then is.
        const others = (part.first ?? []).filter((each) => options.nameOf(each) !== object.metadata?.name)
        part.first = type === 'remove' ? others : [...others, options.keep(object)]
      },
      onLive() {
        part.state = 'live'
        complete()
        settle()
      },
      onLost(reason, why) {
        part.state = why.isRefused ? 'refused' : why.isMissing ? 'missing' : 'lost'
        if (isOutOfReach(part)) drop(part, reason, why)
        else options.onLost(reason, why)
      },
    }),
  )
}

const isOutOfReach = ({ state }: Part<unknown>) => state === 'refused' || state === 'missing'

/** `/apis/apps/v1/deployments` in a namespace: `/apis/apps/v1/namespaces/shop/deployments`. */
function pathIn(path: string, namespace: string): string {
  const cut = path.lastIndexOf('/')
  return `${path.slice(0, cut)}/namespaces/${encodeURIComponent(namespace)}${path.slice(cut)}`
}
