import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { forbiddenText } from '../connection/forbidden-text.ts'
import { NotListed } from './kind-cache.ts'

/** What was listed of a cluster, within `timeoutMs`. Throws as `asAppError`. */
export async function listedWithin<T>(
  cluster: { title: string },
  clock: Clock,
  timeoutMs: number,
  list: Promise<T>,
): Promise<T> {
  try {
    return await within(clock, timeoutMs, list)
  } catch (error) {
    throw asAppError(cluster, error)
  }
}

/**
 * NotListed as AppError: `cluster_forbidden` where the cluster lets nothing of it be read, `not_found` where it does not
 * serve it, and `cluster_unreachable` where there is no list for another reason. Other errors as they are.
 */
export function asAppError({ title }: { title: string }, error: unknown): unknown {
  if (!(error instanceof NotListed)) return error
  if (error.state === 'refused')
    return new AppError('cluster_forbidden', forbiddenText(title), { cause: error })
  if (error.state === 'missing')
    return new AppError('not_found', `The cluster "${title}" does not serve this resource any more.`, {
      cause: error,
    })
  return new AppError('cluster_unreachable', `The cluster "${title}" does not answer: ${error.message}.`, {
    cause: error,
  })
}

/** The whole, or the part that is there after `patienceMs` where the whole takes longer. */
export async function wholeOrPart<T>(
  clock: Clock,
  patienceMs: number,
  { whole, part }: Record<'whole' | 'part', () => Promise<T>>,
): Promise<T> {
  if (patienceMs <= 0) return part()
  let cancel = () => undefined as void
  const late = new Promise<void>((resolve) => {
    cancel = clock.setTimeout(resolve, patienceMs)
  })
  try {
    return await Promise.race([whole(), late.then(part)])
  } finally {
    cancel()
  }
}

async function within<T>(clock: Clock, timeoutMs: number, work: Promise<T>): Promise<T> {
  let cancel = () => undefined as void
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.setTimeout(() => reject(new NotListed('it took too long')), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}
