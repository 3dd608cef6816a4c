import type { SqlPlan, SqlResult } from '@bey/contract'
import { useRef, useState } from 'react'
import { useChange } from '../../../data/use-change.ts'
import { errorText, toastCause } from '../../../lib/error-text.ts'
import type { ErrorText } from '../../../lib/error-text.ts'
import { toast } from '../../../ui/toast.ts'

/** What was asked last. The statement is kept with its answer, for the text in the editor goes on. */
export type SqlAnswer = { statement: string; at: number } & (
  | { kind: 'result'; result: SqlResult }
  | { kind: 'plan'; plan: SqlPlan; wasExecuted: boolean }
  | { kind: 'failure'; error: ErrorText }
)

type Asked = { statement: string; parameters: SqlParameter[] }

export type SqlTask = 'read' | 'write' | 'explain' | 'analyze'

/** Time between two requests to cancel a statement that has not reached its server yet. */
const cancelAgainMs = 250

/** What the tabs show: of each the last result, and the last plan. */
export type SqlView = 'result' | 'plan' | 'chart'
export type SqlAnswers = { result?: SqlAnswer; plan?: SqlAnswer; chart?: undefined; shown?: SqlView }

export type SqlParameter = { name: string; value: string | null }

/** Executes statements of the console one after the other, and cancels the one under way in its server. */
export function useSqlRun(databaseId: string) {
  const params = { id: databaseId }
  const query = useChange('databases.query', { isSecret: true })
  const execute = useChange('databases.execute', { isSecret: true })
  const explain = useChange('databases.explain', { isSecret: true })
  const cancelQuery = useChange('databases.cancelQuery')
  const [answers, setAnswers] = useState<Record<string, SqlAnswers>>({})
  const [isCancelling, setCancelling] = useState(false)
  const [running, setRunning] = useState<{ queryId: string; task: SqlTask; tab: string; since: number }>()
  const current = useRef<string>(undefined)

  async function ask({ statement, parameters }: Asked, task: SqlTask, queryId: string): Promise<SqlAnswer> {
    const body = { statement, queryId, parameters }
    const at = Date.now()
    switch (task) {
      case 'read': {
        const result = await query.mutateAsync({ params, body })
        return { kind: 'result', statement, at, result }
      }
      case 'write': {
        const result = await execute.mutateAsync({ params, body })
        return { kind: 'result', statement, at, result }
      }
      case 'explain':
      case 'analyze': {
        const wasExecuted = task === 'analyze'
        const plan = await explain.mutateAsync({ params, body: { ...body, analyze: wasExecuted } })
        return { kind: 'plan', statement, at, plan, wasExecuted }
      }
    }
  }

  async function run({ tab, ...asked }: Asked & { tab: string }, task: SqlTask): Promise<void> {
    const statement = asked.statement.trim()
    const view = task === 'explain' || task === 'analyze' ? 'plan' : 'result'
    const setAnswer = (answer: SqlAnswer) =>
      setAnswers((before) => ({
        ...before,
        [tab]: { ...before[tab], [view]: answer, shown: shownAfter(before[tab]?.shown, view) },
      }))
    if (statement === '' || current.current !== undefined) return
    const queryId = crypto.randomUUID()
    current.current = queryId
    setRunning({ queryId, task, tab, since: Date.now() })
    try {
      setAnswer(await ask({ ...asked, statement }, task, queryId))
    } catch (error) {
      const failure = errorText('The statement was not executed', error)
      setAnswer({ kind: 'failure', statement, at: Date.now(), error: failure })
    } finally {
      current.current = undefined
      setRunning(undefined)
    }
  }

  /** Asks until the statement is cancelled or over: the request may overtake the statement. */
  async function cancel(queryId: string): Promise<void> {
    setCancelling(true)
    try {
      while (current.current === queryId) {
        // oxlint-disable-next-line no-await-in-loop -- one request after the other
        const { isCancelled } = await cancelQuery.mutateAsync({ params: { ...params, queryId } })
        if (isCancelled) return
        // oxlint-disable-next-line no-await-in-loop -- as above
        await new Promise((resolve) => setTimeout(resolve, cancelAgainMs))
      }
    } finally {
      setCancelling(false)
    }
  }

  return {
    answers,
    running,
    show: (tab: string, shown: SqlView): void =>
      setAnswers((before) => ({ ...before, [tab]: { ...before[tab], shown } })),
    /** A tab was closed. */
    forget: (tab: string): void => setAnswers(({ [tab]: _closed, ...others }) => others),
    run: (asked: Asked & { tab: string }, task: SqlTask): void => void run(asked, task),
    /** Its end arrives as the answer of the statement. */
    cancel(): void {
      if (!running || isCancelling) return
      cancel(running.queryId).catch((error: unknown) =>
        toast('error', 'The statement was not cancelled', toastCause(error)),
      )
    },
    isCancelling,
  }
}

/** A chart stays where the statement is executed again; a plan and a result take each other's place. */
function shownAfter(shown: SqlView | undefined, answered: 'result' | 'plan'): SqlView {
  return answered === 'result' && shown === 'chart' ? 'chart' : answered
}
