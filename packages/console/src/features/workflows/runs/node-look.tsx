import type { StepRun } from '@bey/contract'
import type { RunDetail } from '../../../data/workflows.ts'
import { formatDuration } from '../../../lib/format.ts'
import { StatusMark } from '../../../ui/status-mark.tsx'
import { statusLook } from '../../../ui/status-table.ts'
import type { StatusTone } from '../../../ui/status-table.ts'
import type { NodeLook } from '../graph/graph-step.ts'
import { countItems, itemsText } from './loop-items.ts'
import { skipReason } from '../../../entities/runs/skip-reason.ts'

/** How the node of a run's graph looks: one step, or several of one type. */
export function nodeLook(
  type: string,
  steps: readonly StepRun[],
  usual: RunDetail['usual'],
  now: number,
  /** Of a loop. */
  items: readonly StepRun[] = [],
): NodeLook {
  const [step, ...others] = steps
  if (!step) return { title: type, detail: '', icon: null, tone: 'quiet' }
  if (others.length > 0) return groupLook(type, steps)
  const look = statusLook(step.status, 'run')
  const { all, succeeded, failed, left } = countItems(items)
  const percent = all > 0 ? ((succeeded + failed + left) / all) * 100 : step.progressPercent
  return {
    title: step.name,
    detail: all > 0 ? itemsText(items) : stepDetail(step, usual, now),
    icon: <StatusMark glyph={look.glyph} isBusy={look.isBusy} />,
    tone: toneOf(step.status, look.tone),
    ...(step.status === 'skipped' ? { isDashed: true } : {}),
    ...(step.status === 'running' && percent > 0 ? { progressPercent: percent } : {}),
  }
}

function toneOf(status: StepRun['status'], tone: StatusTone): NodeLook['tone'] {
  if (status === 'pending' || status === 'ready' || status === 'skipped' || status === 'cancelled')
    return 'quiet'
  return tone === 'quiet' || tone === 'ok' ? 'plain' : tone
}

/** What stands under the name of a step: how long it took or usually takes, or why it does not go on. */
function stepDetail(step: StepRun, usual: RunDetail['usual'], now: number): string {
  const usualMs = usual[step.key]?.medianMs
  const spentMs = step.startedAt ? Math.max(0, now - Date.parse(step.startedAt)) : undefined
  switch (step.status) {
    case 'succeeded': {
      const took = spanOf(step)
      return took === undefined ? step.type : `${step.type} · ${formatDuration(took)}`
    }
    case 'running': {
      const percent = step.progressPercent > 0 ? `${Math.round(step.progressPercent)} %` : undefined
      const leftMs = usualMs === undefined || spentMs === undefined ? undefined : usualMs - spentMs
      const time =
        leftMs !== undefined && leftMs > 0
          ? `${formatDuration(leftMs)} left`
          : spentMs === undefined
            ? undefined
            : `for ${formatDuration(spentMs)}`
      return [percent, time].filter(Boolean).join(' · ') || 'running'
    }
    case 'waiting':
      return spentMs === undefined ? 'waiting' : `waiting ${formatDuration(spentMs)}`
    case 'retry_wait': {
      const inMs = step.nextAt ? Date.parse(step.nextAt) - now : 0
      return inMs > 0 ? `tries again in ${formatDuration(inMs)}` : 'tries again'
    }
    case 'skipped':
      return ['skipped', skipReason(step)].filter(Boolean).join(': ')
    case 'failed':
    case 'timed_out':
      return step.error?.message ?? statusLook(step.status, 'run').label
    case 'uncertain':
      return 'did it happen?'
    case 'cancelled':
      return 'cancelled'
    case 'pending':
    case 'ready':
      return usualMs === undefined ? 'not begun' : `usually ${formatDuration(usualMs)}`
  }
}

/** How long a step that ended took, in milliseconds. */
export function spanOf({ startedAt, finishedAt }: StepRun): number | undefined {
  if (!startedAt || !finishedAt) return undefined
  return Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt))
}

function groupLook(type: string, steps: readonly StepRun[]): NodeLook {
  const count = (...statuses: StepRun['status'][]) =>
    steps.filter(({ status }) => statuses.includes(status)).length
  const failed = count('failed', 'timed_out')
  const uncertain = count('uncertain')
  const running = count('running', 'waiting', 'retry_wait')
  const done = count('succeeded', 'skipped', 'cancelled')
  const status = uncertain
    ? 'uncertain'
    : failed
      ? 'failed'
      : running
        ? 'running'
        : done
          ? 'succeeded'
          : 'pending'
  const look = statusLook(status, 'run')
  const parts = [
    [uncertain, 'uncertain'],
    [failed, 'failed'],
    [running, 'under way'],
  ] as const
  return {
    title: `${steps.length} × ${type}`,
    detail: [`${done} done`, ...parts.flatMap(([some, word]) => (some > 0 ? [`${some} ${word}`] : []))].join(
      ', ',
    ),
    icon: <StatusMark glyph={look.glyph} isBusy={look.isBusy} />,
    tone: toneOf(status, look.tone),
    ...(running > 0 ? { progressPercent: (done / steps.length) * 100 } : {}),
  }
}
