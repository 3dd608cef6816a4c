import type { AppliedSaving } from '@bey/contract'

import { presentActor } from '../../../platform/present-actor.ts'
import type { AppliedRow } from './applied-store.ts'
import { hourMs } from './facts.ts'

/** How an applied saving stands, since when it holds, and until when it held. */
export type AppliedState = {
  state: AppliedSaving['state']
  text: string
  fromMs: number | null
  untilMs: number | null
}

/** A patch whose end is not known after this time was interrupted. */
const patchMs = 60_000

const ended = ['failed', 'timed_out', 'cancelled', 'expired', 'needs_attention']

export function stateOf(row: AppliedRow, nowMs: number): AppliedState {
  const fromMs =
    row.run === null ? row.patchedAtMs : row.run.status === 'completed' ? row.run.finishedMs : null
  if (row.undoneAtMs !== null || row.undoRun?.status === 'completed') {
    const untilMs = row.undoneAtMs ?? row.undoRun?.finishedMs ?? null
    return { state: 'undone', text: 'Taken back: it costs as before.', fromMs, untilMs }
  }
  if (row.undoRun !== null && !ended.includes(row.undoRun.status))
    return { state: 'undoing', text: 'Being taken back.', fromMs, untilMs: null }
  if (fromMs !== null) return { state: 'applied', text: appliedText(row), fromMs, untilMs: null }
  if (row.error !== null) return failed(row.error)
  if (row.run === null) {
    if (nowMs - row.appliedAtMs < patchMs)
      return { state: 'applying', text: 'Being applied.', fromMs, untilMs: null }
    return failed('It is not known whether the cluster took the change. Compare the object with the patch.')
  }
  if (ended.includes(row.run.status))
    return failed(row.run.error ?? `Its run ended as ${row.run.status.replaceAll('_', ' ')}.`)
  return { state: 'applying', text: 'Being applied: its run has not ended.', fromMs, untilMs: null }
}

/** Whether measurements up to a full hour do not show a saving yet that is held, or being made. */
export function isUnmeasured(row: AppliedRow, nowMs: number, measuredToMs: number): boolean {
  const { state, fromMs } = stateOf(row, nowMs)
  if (state === 'failed' || state === 'undone') return false
  return (fromMs ?? nowMs) > measuredToMs - hourMs
}

const failed = (text: string): AppliedState => ({ state: 'failed', text, fromMs: null, untilMs: null })

function appliedText({ isDirect, undoRun }: AppliedRow): string {
  const text = isDirect
    ? 'It is no longer metered, and the forecast takes that into account.'
    : 'The room is free. It saves money once a node is removed.'
  return undoRun === null ? text : `${text} It could not be taken back: ${undoRun.error ?? 'see its run'}.`
}

export function presentApplied(row: AppliedRow, nowMs: number): AppliedSaving {
  const { state, text } = stateOf(row, nowMs)
  const run = row.undoRun ?? row.run
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    text: row.text,
    state,
    stateText: text,
    amount: row.amount,
    currency: row.currency,
    isDirect: row.isDirect,
    clusterId: row.clusterId,
    run: run && { workflowId: run.workflowId, runId: run.runId },
    appliedAt: new Date(row.appliedAtMs).toISOString(),
    appliedBy: presentActor(row.byId, row.byName, row.byEmail),
    canUndo: state === 'applied',
  }
}
