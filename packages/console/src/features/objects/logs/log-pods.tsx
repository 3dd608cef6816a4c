import { TriangleAlert } from 'lucide-react'
import { cx } from '../../../ui/class-names.ts'
import type { SourceFigures } from '../../../entities/kubernetes/logs/log-store.ts'
import { podSuffix } from './log-words.ts'
import { podColor } from './pod-hues.ts'

export interface LogPod {
  uid: string
  name: string
  suffix: string
  color: string
  lines: number
  starts: number
  isGone: boolean
}

/** The pods of a stream in the order in which they came. */
export function podsOf(sources: ReadonlyMap<number, SourceFigures>): LogPod[] {
  const pods = new Map<string, LogPod>()
  for (const { source, lines, starts, isGone } of sources.values()) {
    const pod = pods.get(source.podUid) ?? {
      uid: source.podUid,
      name: source.pod,
      suffix: podSuffix(source.pod),
      color: podColor(pods.size),
      lines: 0,
      starts: 0,
      isGone: false,
    }
    pod.lines += lines
    pod.starts = Math.max(pod.starts, starts)
    pod.isGone ||= isGone
    pods.set(source.podUid, pod)
  }
  return [...pods.values()]
}

const maxChips = 24

/** A chip for each pod. A click hides its lines, with Shift it shows no others. */
export function LogPods({
  pods,
  hidden,
  onChange,
}: {
  pods: readonly LogPod[]
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}) {
  const toggle = (uid: string, isSolo: boolean) => {
    const others = pods.filter((pod) => pod.uid !== uid).map((pod) => pod.uid)
    if (isSolo) {
      const isAlready = !hidden.has(uid) && others.every((other) => hidden.has(other))
      return onChange(new Set(isAlready ? [] : others))
    }
    const next = new Set(hidden)
    if (!next.delete(uid)) next.add(uid)
    onChange(next)
  }
  return (
    <fieldset aria-label="Pods" className="flex min-w-0 flex-wrap items-center gap-1.5">
      {pods.slice(0, maxChips).map((pod) => (
        <button
          key={pod.uid}
          type="button"
          aria-pressed={!hidden.has(pod.uid)}
          data-tooltip={`${pod.name}${pod.isGone ? ' (deleted)' : ''}\nClick hides, ⇧ click shows only this one`}
          onClick={(event) => toggle(pod.uid, event.shiftKey)}
          className={cx(
            'flex h-6 items-center gap-1.5 overflow-hidden rounded-badge border border-line-strong pr-2 text-small touch:h-9',
            hidden.has(pod.uid) ? 'text-text-3 line-through' : 'bg-raised hover:bg-hover',
          )}
        >
          <span
            aria-hidden
            className="h-full w-1"
            style={{ background: hidden.has(pod.uid) ? 'var(--line-strong)' : pod.color }}
          />
          <span className="max-w-[16ch] truncate font-mono font-medium">{pod.suffix}</span>
          {pod.starts > 1 ? (
            <span className="flex items-center gap-1 text-danger">
              <TriangleAlert size={12} aria-hidden />
              {pod.starts} starts
            </span>
          ) : (
            <span className="text-text-2 tabular-nums">
              {pod.isGone ? 'deleted' : pod.lines.toLocaleString('en')}
            </span>
          )}
        </button>
      ))}
      {pods.length > maxChips ? (
        <span className="text-small text-text-2">and {pods.length - maxChips} more</span>
      ) : null}
      {pods.length > 1 ? (
        <span className="text-small text-text-3 max-lg:hidden">click hides, ⇧ click shows only this one</span>
      ) : null}
    </fieldset>
  )
}
