import type { HandlerOutput, ParsedInput, Role } from '@bey/contract'
import {
  type Difference,
  differenceOf,
  differenceRules,
  differenceText,
  boardSentence,
} from '@bey/contract/boards/difference'
import {
  boardBounds,
  type BoardDefinition,
  type BoardPanel,
  type BoardValues,
  filledExpression,
} from '@bey/contract/boards/rules'
import { readyBoards } from '@bey/contract/boards/ready-boards'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import type { ReadRange } from '../../platform/metrics/read.ts'
import { floorTo } from '../../platform/metrics/steps.ts'
import { found } from './service.ts'
import { findBoard } from './store.ts'

type Evaluated = { name: string | null; labels: Record<string, string>; values: (number | null)[] }

/** Evaluates an expression over what the role may read in the organization; throws AppError where it cannot. */
export type QueryMetrics = (
  of: { organizationId: number; role: Role },
  expr: string,
  range: ReadRange,
  source?: string,
) => Promise<{ series: Evaluated[] }>

type Reading = HandlerOutput<'boards.reading'>['panels'][number]

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs
const isId = (id: string): id is keyof typeof readyBoards => Object.hasOwn(readyBoards, id)

/** Compares each panel of a board with the same hour of the weeks before. */
export function readingHandlers({
  database,
  clock,
  query,
}: {
  database: Pick<Database, 'readTenant'>
  clock: Clock
  query: QueryMetrics
}): Handlers<'boards.reading'> {
  return {
    'boards.reading': async ({ caller, params: { id }, query: asked }) => {
      const definition: BoardDefinition = isId(id)
        ? readyBoards[id].definition
        : (
            await database.readTenant(caller.organizationId, async (db) =>
              found(await findBoard(db, caller.organizationId, caller.user.id, id)),
            )
          ).definition
      const nowMs = clock.now().getTime()
      const endMs = Math.min(asked.end === undefined ? nowMs : Date.parse(asked.end), nowMs)
      const measured = definition.panels.filter(({ kind, queries }) => kind !== 'text' && queries.length > 0)
      const shown = measured.slice(0, boardBounds.maxReadPanels)
      const values = chosenValues(asked)
      const panels: Reading[] = []
      // One after another: a board must not take the connections of everybody else.
      for (const panel of shown) {
        panels.push(
          await readPanel(panel, values, (expr, range) => query(caller, expr, range, panel.source), endMs),
        )
      }
      const text = boardSentence(
        panels.map(({ state, text: difference }, index) => ({
          title: shown[index]?.title ?? '',
          state,
          text: difference,
        })),
      )
      return {
        asOf: new Date(endMs).toISOString(),
        text,
        panels,
        unreadCount: measured.length - shown.length,
      }
    },
  }
}

function chosenValues(asked: ParsedInput<'boards.reading'>['query']): BoardValues {
  const names = (text: string | undefined) => (text === undefined ? [] : text.split(',').filter(Boolean))
  return { cluster: names(asked.cluster), namespace: names(asked.namespace), database: names(asked.database) }
}

type Evaluate = (expr: string, range: ReadRange) => Promise<{ series: Evaluated[] }>

async function readPanel(
  { id, queries }: BoardPanel,
  values: BoardValues,
  evaluate: Evaluate,
  endMs: number,
): Promise<Reading> {
  try {
    const read = await Promise.all(
      queries
        .filter(({ expr }) => expr !== '')
        .map(({ expr }) => readExpression(filledExpression(expr, values), evaluate, endMs)),
    )
    return { id, ...together(read.flat()) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { id, state: 'failed', text: error.message, now: null, usual: null }
  }
}

async function readExpression(expr: string, evaluate: Evaluate, endMs: number): Promise<Difference[]> {
  const toMs = floorTo(endMs, hourMs) + hourMs
  const hours = (weeksAgo: number, from: number, to: number): ReadRange => ({
    fromMs: toMs - weeksAgo * weekMs + from * hourMs,
    toMs: toMs - weeksAgo * weekMs + to * hourMs,
    stepMs: hourMs,
  })
  // The hours beside the same one are of the same time of day too, and make the deviation known.
  const weeks = Array.from({ length: differenceRules.weeks }, (_, index) => hours(index + 1, -2, 1))
  const [current, ...before] = await Promise.all(
    [hours(0, -2, 0), ...weeks].map(async (range) => (await evaluate(expr, range)).series),
  )
  return (current ?? []).map((series) => {
    const key = keyOf(series)
    const past = before.map((each) => each.find((other) => keyOf(other) === key)?.values ?? [])
    return differenceOf(series.values.findLast((value) => value !== null) ?? null, past)
  })
}

const keyOf = ({ name, labels }: Evaluated) =>
  JSON.stringify([name, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))])

/** What the series of a panel say together. */
function together(series: readonly Difference[]): Omit<Reading, 'id'> {
  const [only] = series
  const differing = series.filter(({ state }) => state === 'differs')
  if (only === undefined) return { state: 'no_data', text: 'nothing measured', now: null, usual: null }
  if (series.length === 1) {
    const text = only.state === 'differs' ? differenceText(only) : stateText[only.state]
    return { state: only.state, text, now: only.now, usual: only.usual }
  }
  const none = { now: null, usual: null }
  if (differing.length > 0) {
    return {
      state: 'differs',
      text: `${differing.length} of ${series.length} ${differing.length === 1 ? 'differs' : 'differ'}`,
      ...none,
    }
  }
  const state = (['usual', 'short_history', 'no_data'] as const).find((each) =>
    series.some((difference) => difference.state === each),
  )
  return { state: state ?? 'no_data', text: stateText[state ?? 'no_data'], ...none }
}

const stateText = {
  usual: 'as before',
  differs: '',
  short_history: 'too little history',
  no_data: 'nothing measured',
} as const
