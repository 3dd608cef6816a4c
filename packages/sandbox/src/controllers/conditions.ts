import { stamp } from '../clock.ts'

type Condition = {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

/** The list with this condition in it; the time of transition moves only when the status does. */
export function withCondition<T extends Condition>(
  list: readonly T[] | undefined,
  next: T,
  nowMs: number,
): T[] {
  const old = list?.find((one) => one.type === next.type)
  const lastTransitionTime = old && old.status === next.status ? old.lastTransitionTime : stamp(nowMs)
  const made = { ...next, lastTransitionTime }
  if (!old) return [...(list ?? []), made]
  return (list ?? []).map((one) => (one.type === next.type ? { ...one, ...made } : one))
}

export function isTrue(list: readonly Condition[] | undefined, type: string): boolean {
  return list?.some((one) => one.type === type && one.status === 'True') ?? false
}
